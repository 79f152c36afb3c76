import axios from 'axios';
import { NodeHelpers, type INodeProperties } from 'n8n-workflow';

import { PaymentPlatformTrigger } from '../../nodes/PaymentPlatform/PaymentPlatformTrigger.node';
import { bodyOf, openTriggerBench } from './bench';

const { description } = new PaymentPlatformTrigger();
const warning = description.properties.find(({ name }) => name === 'unverifiedNotice') as INodeProperties;

const combinations = [{}, { verifyCredentials: true }, { verifyCredentials: false }].flatMap((credentials) =>
  [{}, { signature: 'required' }, { signature: 'whenPresent' }, { signature: 'off' }].map((signature) => ({
    ...credentials,
    ...signature,
  })),
);

test.each(combinations)(
  'the panel warns about fake deliveries exactly if an anonymous call can start the workflow, with %j',
  async (options) => {
    const parameters = { events: ['*'], options };
    const bench = await openTriggerBench(parameters);
    try {
      const { status } = await axios.post(bench.host.url, JSON.stringify(bodyOf(bench)), {
        headers: { 'content-type': 'application/json' },
        proxy: false,
        validateStatus: () => true,
      });
      expect([status, await bench.emitted()]).toEqual(status === 200 ? [200, 1] : [401, 0]);
      expect(NodeHelpers.displayParameter(parameters, warning, null, description)).toBe(status === 200);
    } finally {
      await bench.close();
    }
  },
);
