import { describeDisputes } from './disputes';
import { startHost, version, type Host } from './host';
import { describeHttpRequest } from './http-request';
import { describeItemFields } from './item-fields';
import { describeOutcomes } from './outcomes';

describe(`requests in ${version}`, () => {
  let host: Host;
  beforeAll(async () => {
    host = await startHost({ env: { N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' } });
  });
  afterAll(async () => await host.stop());

  for (const describePart of [describeItemFields, describeHttpRequest, describeOutcomes, describeDisputes])
    describePart(() => host);
});
