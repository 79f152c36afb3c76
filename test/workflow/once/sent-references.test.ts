import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { timeIsSimulated } from '../../simulated-time';
import { benchOf, charging, errorOf, rowsBench, sandboxForFile, toErrors } from '../bench';
import { crashedData, runWorkflow, type RunInput } from '../harness';
import { idOf, subscription } from '../writes';

timeIsSimulated();
const sandbox = sandboxForFile();

const REFUSE = { unknownOutcome: 'refuse' };
const { input } = rowsBench(sandbox, { parameters: charging(REFUSE), looksUp: true, ...toErrors });
const { bodies, applied, lose } = benchOf(sandbox);
const referenceIn = (error: IDataObject) => (error.references as IDataObject).merch_ref_num;

/** Runs the input, but loses all responses and the results, as if n8n was killed. */
async function kill(given: RunInput, operationId = 'sale') {
  const started = crashedData(given);
  lose(operationId, 'after', 'all');
  await runWorkflow({ ...given, from: started });
  sandbox.control.clearFaults();
  return started;
}

test('each charge has a reference of its own, also beside a purchase ID', async () => {
  const additionalFields = { purchase_id: 'DUES' };
  await runWorkflow(input([{}, {}], { parameters: charging({}, { additionalFields }) }));
  const references = bodies('sale').map(({ merch_ref_num: reference }) => reference);
  expect(references).toEqual([expect.stringMatching(/^[0-9A-F]{20}$/), expect.stringMatching(/^[0-9A-F]{20}$/)]);
  expect(new Set(references).size).toBe(2);
});

test("the node keeps the user's own merchant reference", async () => {
  await runWorkflow(input([{}], { parameters: charging({}, { additionalFields: { merch_ref_num: 'MINE' } }) }));
  expect(bodies('sale')).toMatchObject([{ merch_ref_num: 'MINE' }]);
});

test('rows that moved after a kill are found by the references that were sent', async () => {
  const given = input([{ id: 'A' }, { id: 'B' }]);
  const retryOf = await kill(given);
  const rows = [{ id: 'X' }, ...given.rows];
  await runWorkflow({ ...given, rows, parameters: charging({ unknownOutcome: 'resend' }), retryOf });
  expect(applied('sale')).toBe(3);
});

test('rows in another batch size after a kill are found by the references that were sent', async () => {
  const given = input([{ id: 'A' }, { id: 'B' }, { id: 'C' }], { batchSize: 3, onError: 'continueRegularOutput' });
  const retryOf = await kill(given);
  await runWorkflow({ ...given, batchSize: 1, parameters: charging({ unknownOutcome: 'resend' }), retryOf });
  expect(applied('sale')).toBe(3);
});

test('a message about an unknown key names the reference that was sent', async () => {
  lose('sale');
  await runWorkflow(input([{}], { parameters: charging({ ...REFUSE, oncePerKey: 'deal 1' }) }));
  const error = errorOf(
    (await runWorkflow(input([{}], { parameters: charging({ ...REFUSE, oncePerKey: 'deal 1' }) }))).errors[0],
  );
  expect(referenceIn(error)).toBe(bodies('sale')[0]?.merch_ref_num);
});

test('a result of an earlier attempt shows the reference that was sent', async () => {
  const given = input([{ id: 'A' }]);
  const started = crashedData(given);
  await runWorkflow({ ...given, from: started });
  const { items } = await runWorkflow({ ...given, rows: [{ id: 'X' }, { id: 'A' }], retryOf: started });
  expect(items.map(({ json }) => json.merch_ref_num)).toEqual([bodies('sale')[0]?.merch_ref_num]);
});

test('a message after a kill of n8n 1 names only a reference that was sent', async () => {
  const given = input([{ id: 'A' }]);
  const version1 = (source: 'trigger' | 'retry') => {
    const crashed = crashedData(given);
    if (crashed.data.executionData)
      crashed.data.executionData.runtimeData = { version: 1, establishedAt: Date.now(), source };
    return crashed;
  };
  lose('sale');
  await runWorkflow({ ...given, from: version1('trigger') });
  const error = errorOf(
    (await runWorkflow({ ...given, parameters: charging(), retryOf: version1('retry') })).errors[0],
  );
  expect([undefined, bodies('sale')[0]?.merch_ref_num]).toContain(
    (error.references as IDataObject | undefined)?.merch_ref_num,
  );
});

test('a message after an edit names the values that were sent', async () => {
  lose('sale');
  const { run } = await runWorkflow(input([{}], { onError: undefined }));
  const edited = charging(REFUSE, { amt_tran: 30 });
  const error = errorOf((await runWorkflow(input([{}], { parameters: edited, retryOf: run }))).errors[0]);
  expect(error.description).toContain('the amount 25');
  expect(error.description).not.toContain('the amount 30');
});

test('a result that a person confirms after an edit shows the values that were sent', async () => {
  lose('sale', 'before');
  const { run } = await runWorkflow(input([{}], { onError: undefined }));
  const edited = (options: object) => input([{}], { parameters: charging(options, { amt_tran: 30 }), retryOf: run });
  const { resolveCode: code } = errorOf((await runWorkflow(edited(REFUSE))).errors[0]);
  const resolve = { item: [{ code, finding: 'applied' }] };
  const { items } = await runWorkflow(edited({ unknownOutcome: 'resolve', resolve }));
  expect(items.map(({ json }) => json)).toEqual([expect.objectContaining({ confirmed_by_person: true, amt_tran: 25 })]);
});

test('a result after a kill shows no value that an expression changed after the request', async () => {
  const given = input([{}], { parameters: charging({}, { amt_tran: '={{ Number($execution.id) }}' }) });
  const started = crashedData(given);
  await runWorkflow({ ...given, executionId: '25', from: started });
  const { items } = await runWorkflow({ ...given, executionId: '30', retryOf: started });
  expect(items.map(({ json }) => json)).toEqual([{ done_by_earlier_try: true }]);
});

test('an amount that an expression changed after a kill may have used up the limit per execution', async () => {
  const options = { limitPerExecution: 30, sending: { maxParallelRequests: 1 } };
  const changed = charging(options, { amt_tran: '={{ Math.abs($json.of - Number($execution.id)) }}' });
  const given = input([{ of: 0 }, { of: 30 }], { parameters: changed });
  const started = crashedData(given);
  sandbox.control.addFault({ kind: 'status', status: 402, code: '005', operationId: 'sale', calls: [2] });
  await runWorkflow({ ...given, executionId: '10', from: started, onError: undefined });
  sandbox.control.clearFaults();
  const { errors } = await runWorkflow({ ...given, executionId: '5', retryOf: started });
  expect(errorOf(errors[0]).message).toMatch(/^"Limit per Execution" allows 30 in total/);
  expect(bodies('sale')).toHaveLength(2);
});

const byExecution = { oncePerKey: '={{ $execution.id }}' };
const changing = { additionalFields: { merch_ref_num: '={{ $execution.id }}' } };

describe.each<[string, object, object, object]>([
  ['Once per Key is added', {}, { oncePerKey: 'deal 1' }, {}],
  ['Once per Key is removed', { oncePerKey: 'deal 1' }, {}, {}],
  ['Once per Key names another key', { oncePerKey: 'deal 1' }, { oncePerKey: 'deal 2' }, {}],
  ['the key contains the execution', byExecution, byExecution, {}],
  ["the user's reference contains the execution", {}, {}, changing],
])('if an attempt sent another reference, because %s', (_, before, after, more) => {
  const options = { unknownOutcome: 'resend', ...after };

  test('a retry after a kill sends nothing', async () => {
    const retryOf = await kill(input([{}], { parameters: charging({ ...REFUSE, ...before }, more) }));
    const { items, errors } = await runWorkflow(input([{}], { parameters: charging(options, more), retryOf }));
    expect(items).toEqual([]);
    expect(errorOf(errors[0])).toMatchObject({ outcome: 'unknown' });
    expect(errorOf(errors[0]).references ?? {}).not.toHaveProperty('merch_ref_num');
    expect(applied('sale')).toBe(1);
  });

  test('a retry sends nothing', async () => {
    lose('sale');
    const failed = await runWorkflow(
      input([{}], { parameters: charging({ ...REFUSE, ...before }, more), onError: undefined }),
    );
    await runWorkflow(input([{}], { parameters: charging(options, more), retryOf: failed.run }));
    expect(applied('sale')).toBe(1);
  });
});

const customer = () => sandbox.control.state().customers[0]?.customer_id ?? '';
/** Returns an expression with another value in each execution. */
const either = (one: string | number, other: string | number) =>
  `={{ Number($execution.id) % 2 ? ${JSON.stringify(one)} : ${JSON.stringify(other)} }}`;
const typedCard = { paymentMethod: 'card', card_number: '4111111111111111', exp_date: '12/35' };
const ofCard = (more: object, additionalFields: object = {}) =>
  charging({}, { ...typedCard, additionalFields: { merch_ref_num: 'MINE', ...additionalFields }, ...more });
const invoice = (price: string | number, additionalFields: object = {}) => ({
  ...{ resource: 'invoice', operation: 'create', customer_id: customer(), invoice_number: 'N-1', additionalFields },
  line_items: { item: [{ description: 'Hour', quantity: 1, unit_cost: price }] },
});
const startingOn = (date_start: string) =>
  subscription(sandbox, { customer_id: idOf(customer()), date_start, additionalFields: { purchase_id: 'MINE' } });

/** Payments with the same references, whose other values depend on the execution. */
const CHANGING: Array<[string, string, () => object]> = [
  ['sale', 'card', () => ofCard({ card_number: either('4111111111111111', '5555555555554444') })],
  ['sale', 'currency', () => ofCard({}, { tran_currency: either('USD', 'EUR') })],
  ['createInvoice', 'total', () => invoice(either(10, 20))],
  ['createInvoice', 'currency', () => invoice(10, { tran_currency: either('USD', 'EUR') })],
  ['addSubscription', 'start', () => startingOn(either('2031-01-01', '2031-05-05'))],
];

describe.each(CHANGING)('if an attempt at %s sent another %s', (operationId, _, parameters) => {
  const given = (options: object, more: Partial<RunInput> = {}) =>
    input([{}], { parameters: { ...parameters(), options } as INodeParameters, ...more });
  const retried = async (...[retryOf, executionId]: [RunInput['retryOf'], string]) =>
    await runWorkflow(given({ unknownOutcome: 'resend' }, { retryOf, executionId }));

  test('no retry sends it again after a kill', async () => {
    const before = applied(operationId);
    const retryOf = await kill(given(REFUSE, { executionId: '1001' }), operationId);
    expect(errorOf((await retried(retryOf, '1002')).errors[0])).toMatchObject({ outcome: 'unknown' });
    expect(applied(operationId)).toBe(before + 1);
  });

  test.each(['lost', 'killed'])('no retry sends it again after an equal retry: %s', async (how) => {
    const before = applied(operationId);
    const stopping = given(REFUSE, { executionId: '1001', onError: undefined });
    lose(operationId);
    const retryOf = how === 'lost' ? (await runWorkflow(stopping)).run : await kill(stopping, operationId);
    const same = await runWorkflow({ ...stopping, executionId: '1003', retryOf });
    expect(errorOf((await retried(same.run, '1004')).errors[0])).toMatchObject({ outcome: 'unknown' });
    expect(applied(operationId)).toBe(before + 1);
  });
});
