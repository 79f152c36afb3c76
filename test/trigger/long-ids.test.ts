import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';

import { openTriggerBench } from './bench';

/** Matches an ID with more digits than a JavaScript number can represent exactly. */
const LONG = /^426351789012\d{6}$/;

test('an event and its record have the same ID with all digits', async () => {
  const bench = await openTriggerBench({ events: ['*'], enrich: true });
  try {
    bench.sandbox.control.setLongIds(true);
    await axios.post(
      `${bench.sandbox.baseUrl}/platform/aus/add`,
      { data: [{ card_number: '4111111111111111', exp_date: '1230', card_id: 'a' }] },
      { headers: { authorization: `Basic ${bench.sandbox.credentials.test.token}` }, proxy: false },
    );
    await bench.sandbox.control.settleDeliveries();
    await bench.host.idle();
    const { payload, record } = bench.host.executions.at(-1)?.[0]?.json as Record<string, IDataObject>;
    const request_id = expect.stringMatching(LONG) as string;
    expect(payload).toMatchObject({ data: { request_id } });
    expect(record).toMatchObject({ request_id: (payload?.data as IDataObject).request_id });
  } finally {
    await bench.close();
  }
});
