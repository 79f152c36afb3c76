import { sleep, type IDataObject } from 'n8n-workflow';

import { timeIsSimulated } from '../../simulated-time';
import { benchOf, capturedSales, refund, sandboxForFile } from '../bench';

timeIsSimulated();
const sandbox = sandboxForFile({ seed: false });
const bench = benchOf(sandbox);
const requests = () => sandbox.control.journal();
const applied = () => requests().filter((entry) => entry.applied !== null);

// The sandbox can receive aborted requests later, even in the next test.
test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
  'sends nothing more and returns completed results after the execution is canceled with %s',
  async (onError) => {
    const rows = capturedSales(sandbox, 60);
    sandbox.control.addLatency({ milliseconds: 40 });
    let atCancel = 0;
    const cancelOnceUnderWay = async (cancel: () => void) => {
      while (applied().length < 12) await sleep(5);
      atCancel = requests().length;
      cancel();
    };
    const onStart = (cancel: () => void) => void cancelOnceUnderWay(cancel);
    const output = await bench.run(refund, rows, { onError, onStart });
    expect(output.run.status).toBe('canceled');
    const all = [...output.items, ...output.errors].map(({ json }) => json);
    const outcomes = all.map(({ rcode, error }) => (rcode === '000' ? 'done' : (error as IDataObject).outcome));
    const count = (outcome: string) => outcomes.filter((one) => one === outcome).length;
    expect(outcomes).toHaveLength(60);
    expect(count('done')).toBeGreaterThan(0);
    expect(count('done') + count('unknown')).toBeGreaterThanOrEqual(applied().length);
    await sleep(500);
    // The service may still receive the 20 requests that were in progress.
    expect(requests().length).toBeLessThanOrEqual(atCancel + 20);
  },
);
