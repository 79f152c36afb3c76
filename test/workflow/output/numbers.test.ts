import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { benchOf, sandboxForFile } from '../bench';
import type { RunInput } from '../harness';
import { startRecorder } from '../recorder';

const sandbox = sandboxForFile();
const bench = benchOf(sandbox);

const numbers = { tr_number: '021000021', dda_number: '90817263541' };
const inFull = new RegExp(Object.values(numbers).join('|'));

/** n8n adds the parameters to every error. */
const run = async (parameters: INodeParameters, { rows = [{}], ...more }: Partial<RunInput> = {}) =>
  await bench.run(
    parameters,
    rows.map((row) => ({ ...row, ...numbers })),
    more,
  );

const stored = ({ run: { data } }: Awaited<ReturnType<typeof run>>) => ({
  results: JSON.stringify([data.resultData.runData['Payment Platform'], data.resultData.error]),
  context: JSON.stringify(data.executionData?.contextData),
});

const update: INodeParameters = {
  resource: 'payee',
  operation: 'updateAccount',
  payee_id: '9001',
  tr_number: '={{ $json.tr_number }}',
  dda_number: '={{ $json.dda_number }}',
  accountholder_name: 'Ana Silva',
};

test("shows only the last four digits of a payee's new account in the output and memory", async () => {
  const made = await run(update);
  expect(made.items[0]?.json).toMatchObject({
    tr_number: 'x0021',
    dda_number: 'x3541',
    accountholder_name: 'Ana Silva',
  });
  expect(stored(made).results).toContain('x3541');
  expect(stored(made).results + stored(made).context).not.toMatch(inFull);
});

test('stores a completed item without numbers if another item fails', async () => {
  const rows = [{ payee: '9001' }, { payee: 'nobody' }];
  const made = await run({ ...update, payee_id: '={{ $json.payee }}' }, { rows });
  expect(made.error?.message).toMatch(/^Row 2 of 2 \(nobody\): /);
  expect(stored(made).context).toContain('x3541');
  expect(stored(made).results + stored(made).context).not.toMatch(inFull);
});

test('shows full numbers only for items that request them', async () => {
  const made = await run(
    { ...update, additionalFields: { showAccountNumbers: '={{ $json.show }}' } },
    { rows: [{ show: true }, { show: false }, { show: '' }] },
  );
  expect(made.items.map(({ json }) => json.dda_number)).toEqual([numbers.dda_number, 'x3541', 'x3541']);
});

test('masks account numbers in API Request unless full numbers are requested', async () => {
  const request: INodeParameters = {
    resource: 'api',
    operation: 'request',
    method: 'POST',
    path: '/platform/vault/payee/account/9001',
    body: '={{ { tr_number: $json.tr_number, dda_number: $json.dda_number } }}',
  };
  const masked = await run(request);
  expect(masked.items[0]?.json).toMatchObject({ tr_number: 'x0021', dda_number: 'x3541' });
  expect(stored(masked).results).not.toMatch(inFull);
  const shown = await run({ ...request, additionalFields: { showAccountNumbers: true } });
  expect(shown.items[0]?.json).toMatchObject(numbers);
});

test('masks every record of a list at any depth', async () => {
  const recorder = await startRecorder({
    code: 0,
    message: 'Success',
    data: [
      {
        customer_id: 'A1',
        billing_cards: [{ card_number: '4242424242424242', ...numbers }],
        comments: '4242 4242 4242 4242',
      },
    ],
  });
  try {
    const credential = { ...credentialFor(sandbox), baseUrl: recorder.baseUrl };
    const list = await run({ resource: 'customer', operation: 'getAll', simplify: false }, { credential });
    expect(list.items[0]?.json as IDataObject).toEqual({
      customer_id: 'A1',
      billing_cards: [{ card_number: 'x4242', tr_number: 'x0021', dda_number: 'x3541' }],
      comments: 'x4242',
    });
  } finally {
    await recorder.stop();
  }
});
