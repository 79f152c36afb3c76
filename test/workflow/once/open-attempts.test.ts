import type { IDataObject } from 'n8n-workflow';

import { benchOf, capturedSales, refunding, sandboxForFile } from '../bench';
import type { RunOutput } from '../harness';

const sandbox = sandboxForFile({ seed: false });
const bench = benchOf(sandbox);

const outcomes = ({ error }: RunOutput) => {
  const { failed, notStarted } = error?.context?.data as { failed: IDataObject[]; notStarted: number[] };
  return { failed: failed.map(({ item, outcome }) => [item, outcome]), notStarted };
};

/** The service applies the second refund, but the response is lost. */
async function declinedAndUnknown() {
  const rows = capturedSales(sandbox, 2);
  const path = (row?: IDataObject) => `/pg/refund/${row?.id as string}`;
  sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: path(rows[0]) });
  sandbox.control.addFault({ kind: 'reset_after_apply', path: path(rows[1]) });
  const run = async (options: IDataObject, retryOf?: RunOutput) =>
    await bench.run(refunding(options), rows, retryOf && { retryOf: retryOf.run });
  const failed = await run({});
  expect(outcomes(failed)).toEqual({
    failed: [
      [0, 'declined'],
      [1, 'unknown'],
    ],
    notStarted: [],
  });
  return { run, failed };
}

test('an unknown item that the user sends again is reported as unknown if the run stops before its turn', async () => {
  const { run, failed } = await declinedAndUnknown();
  sandbox.control.setListLag(3_600_000);
  const again = await run({ unknownOutcome: 'resend', sending: { maxParallelRequests: 1 } }, failed);
  sandbox.control.setListLag(0);
  expect(outcomes(again)).toEqual({
    failed: [
      [0, 'declined'],
      [1, 'unknown'],
    ],
    notStarted: [],
  });
});

test('an unknown item that the user sends again is reported as unknown if another item is refused before anything is sent', async () => {
  const { run, failed } = await declinedAndUnknown();
  const again = await run({ unknownOutcome: 'resend', limitPerItem: '={{ $itemIndex === 0 ? 1 : 500 }}' }, failed);
  expect(outcomes(again)).toEqual({
    failed: [
      [0, 'invalid'],
      [1, 'unknown'],
    ],
    notStarted: [],
  });
});
