import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { recovered } from '../../loop-node';
import { timeIsSimulated } from '../../simulated-time';
import { rowsBench, goOn, sandboxForFile } from '../bench';
import { crashedData, runWorkflow, type RunInput, type RunOutput } from '../harness';

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });
const rowsOf = (...names: string[]) => names.map((name) => ({ name, exp_date: '1230' }));
const refusing = (name: string, rows: IDataObject[]) =>
  rows.map((row) => (row.name === name ? { ...row, exp_date: 'xx' } : row));
const submit = (more: INodeParameters = {}): INodeParameters => ({
  resource: 'accountUpdater',
  operation: 'submit',
  data: {
    item: [{ card_number: '4111111111111111', exp_date: '={{ $json.exp_date }}', card_id: '={{ $json.name }}' }],
  },
  ...more,
});
/** Changes the parameters, because a retry uses the input rows of the first attempt. */
const submitWithout = (name: string, more: INodeParameters = {}) => {
  const card = { card_number: '4111111111111111', card_id: '={{ $json.name }}' };
  const exp_date = `={{ $json.name === '${name}' ? 'xx' : $json.exp_date }}`;
  return submit({ data: { item: [{ ...card, exp_date }] }, ...more });
};
const { input } = rowsBench(sandbox, { parameters: submit(), ...goOn });
const requests = () =>
  sandbox.control
    .journal({ operationId: 'submitAccountUpdater' })
    .map(({ body }) => ((body as IDataObject).data as IDataObject[]).map(({ card_id }) => card_id));
const answersOf = ({ items }: RunOutput) =>
  items.map(({ json }) =>
    json.error ? (json.error as IDataObject).outcome : (json.card_ids ?? (json.done_by_earlier_try ? 'earlier' : json)),
  );
const errorsOf = ({ items }: RunOutput) => items.flatMap(({ json }) => (json.error ? [json.error as IDataObject] : []));
const failing = (kind: 'reset_after_apply' | 'status', calls: number[]) =>
  sandbox.control.addFault({ kind, status: 400, code: 2, operationId: 'submitAccountUpdater', calls } as never);

async function lost(rows: IDataObject[]) {
  failing('reset_after_apply', [1]);
  const { run } = await runWorkflow(input(rows, { onError: 'stopWorkflow' }));
  sandbox.control.clearFaults();
  return run;
}

/** Simulates killing n8n. `kind` selects whether the response to the request is lost. */
async function killed(rows: IDataObject[], kind: 'lost' | 'done' = 'lost', more: Partial<RunInput> = {}) {
  const crashed = crashedData(input(rows, more));
  if (kind === 'lost') failing('reset_after_apply', [1]);
  await runWorkflow(input(rows, { ...more, onError: 'stopWorkflow', from: crashed }));
  sandbox.control.clearFaults();
  return recovered(crashed, ['Rows', 'Payment Platform']);
}

test.each([
  ['the first row', 'a', ['unknown', 'unknown', 'unknown']],
  ['a row in the middle', 'b', ['unknown', 'unknown', 'unknown']],
])("doesn't submit cards again after a lost response if %s is refused in a retry", async (_, name, outcomes) => {
  const rows = rowsOf('a', 'b', 'c');
  const retryOf = await lost(rows);
  const retried = await runWorkflow(input(rows, { parameters: submitWithout(name), retryOf }));
  expect(requests()).toEqual([['a', 'b', 'c']]);
  expect(answersOf(retried)).toEqual(outcomes);
  const told = errorsOf(retried)[rows.findIndex((row) => row.name === name)];
  expect(told?.message).toMatch(
    /^An earlier attempt sent this item with an unknown outcome\. This attempt was refused/,
  );
});

test('a retry submits only the row that was refused in the first attempt', async () => {
  const rows = rowsOf('a', 'b', 'c');
  failing('reset_after_apply', [1]);
  const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
  const first = await runWorkflow(input(rows, { parameters: submitWithout('a'), settings }));
  expect(answersOf(first)).toEqual(['invalid', 'unknown', 'unknown']);
  expect(requests()).toEqual([['b', 'c']]);
});

test.each([
  ['without its first row', rowsOf('b', 'c'), [['a', 'b', 'c']]],
  ['with its rows in another order', rowsOf('c', 'a', 'b'), [['a', 'b', 'c']]],
  ['with one more row at the end', rowsOf('a', 'b', 'c', 'd'), [['a', 'b', 'c'], ['d']]],
  ['with one more row in front', rowsOf('d', 'a', 'b', 'c'), [['a', 'b', 'c']]],
  ['with the first row refused', refusing('a', rowsOf('a', 'b', 'c')), [['a', 'b', 'c']]],
])('submits no card again in a retry after n8n was killed %s', async (_, rows, expected) => {
  for (const kind of ['lost', 'done'] as const) {
    sandbox.control.reset();
    const retryOf = await killed(rowsOf('a', 'b', 'c'), kind);
    const retried = await runWorkflow(input(rows, { retryOf }));
    expect(requests()).toEqual(expected);
    expect(answersOf(retried)).toHaveLength(rows.length);
  }
});

test.each([
  ['at the end', ['a', 'b', 'c', 'd']],
  ['in front', ['d', 'a', 'b', 'c']],
])('submits no card again after n8n was killed if a list gains a card %s', async (_, names) => {
  const listed = (...ids: string[]) => [
    { cards: ids.map((card_id) => ({ card_number: '4111111111111111', exp_date: '1230', card_id })) },
  ];
  const parameters = { ...submit({ dataMode: 'json', dataJson: '={{ $json.cards }}' }) };
  delete parameters.data;
  const retryOf = await killed(listed('a', 'b', 'c'), 'lost', { parameters });
  await runWorkflow(input(listed(...names), { parameters, retryOf }));
  expect(
    requests()
      .flat()
      .filter((name) => name !== 'd')
      .sort(),
  ).toEqual(['a', 'b', 'c']);
});

test('returns completed rows from memory and submits the other rows together', async () => {
  const rows = rowsOf(...Array.from({ length: 150 }, (_, index) => `m${index}`));
  failing('status', [2]);
  const failed = await runWorkflow(input(rows, { onError: 'stopWorkflow' }));
  sandbox.control.clearFaults();
  const [first = []] = requests();
  const refused = first[0] as string;
  const retried = await runWorkflow(input(rows, { parameters: submitWithout(refused), retryOf: failed.run }));
  const sent = requests().flat();
  for (const { name } of rows) expect(sent.filter((one) => one === name)).toHaveLength(first.includes(name) ? 1 : 2);
  expect(errorsOf(retried)).toMatchObject([{ outcome: 'doneBefore' }]);
  expect(answersOf(retried).filter(Array.isArray)).toHaveLength(149);
});

test('resolves all cards of a request with one code', async () => {
  const rows = rowsOf('a', 'b', 'c');
  for (const first of [lost, killed]) {
    sandbox.control.reset();
    const run = await first(rows);
    const refused = await runWorkflow(input(rows, { retryOf: structuredClone(run) }));
    const codes = new Set(errorsOf(refused).map(({ resolveCode }) => resolveCode));
    expect(codes.size).toBe(1);
    const resolve = (finding: string) =>
      submit({
        options: { unknownOutcome: 'resolve', resolve: { item: [{ code: [...codes][0], finding }] } },
      } as never);
    const applied = await runWorkflow(input(rows, { parameters: resolve('applied'), retryOf: structuredClone(run) }));
    expect(applied.items.map(({ json }) => json.confirmed_by_person)).toEqual([true, true, true]);
    expect(requests()).toHaveLength(1);
    await runWorkflow(input(rows, { parameters: resolve('notApplied'), retryOf: structuredClone(run) }));
    expect(requests()).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
  }
});

test.each(['lost', 'done'] as const)(
  'submits no saved card again in a retry after n8n was killed and a %s response, in any order of the rows',
  async (kind) => {
    const ids = sandbox.control.addCustomers(4).map((customer) => {
      const { billing_cards: cards } =
        sandbox.control.state().customers.find((one) => one.customer_id === customer) ?? {};
      return cards?.[0]?.card_id ?? '';
    });
    const rows = ids.map((card_id) => ({ card_id }));
    const saved: INodeParameters = {
      resource: 'accountUpdater',
      operation: 'submitSaved',
      card_id: { __rl: true, mode: 'id', value: '={{ $json.card_id }}' },
    };
    const crashed = crashedData(input(rows.slice(1), { parameters: saved }));
    if (kind === 'lost')
      sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'createAusRequest', calls: [1] });
    await runWorkflow(input(rows.slice(1), { parameters: saved, onError: 'stopWorkflow', from: crashed }));
    sandbox.control.clearFaults();
    const retryOf = recovered(crashed, ['Rows', 'Payment Platform']);
    const retried = await runWorkflow(input([...rows].reverse(), { parameters: saved, retryOf }));
    const sent = sandbox.control
      .journal({ operationId: 'createAusRequest' })
      .map(({ body }) => (body as IDataObject).card_id);
    expect(sent.flat().sort()).toEqual([...ids].sort());
    expect(answersOf(retried)).toHaveLength(4);
  },
);

describe('a saved card in several rows', () => {
  const saved = (count: number): string[] =>
    sandbox.control.addCustomers(count).map((id) => {
      const customer = sandbox.control.state().customers.find(({ customer_id }) => customer_id === id);
      return customer?.billing_cards[0]?.card_id ?? '';
    });
  const submitting = (cards: string, more: INodeParameters = {}): INodeParameters => ({
    resource: 'accountUpdater',
    operation: 'submitSaved',
    card_id: { __rl: true, mode: 'id', value: `={{ ${cards} }}` },
    ...more,
  });
  const whole = submitting('$json.cards');
  const refusing = (name: string) => submitting(`$json.name === '${name}' ? '?' : $json.cards`);
  const sent = () =>
    sandbox.control.journal({ operationId: 'createAusRequest' }).map(({ body }) => (body as IDataObject).card_id);
  const submitted = ({ items }: RunOutput) =>
    items.map(({ json, pairedItem }) => [pairedItem, json.card_ids, json.request_id]);
  async function interrupted(rows: IDataObject[], parameters: INodeParameters, kind: 'lost' | 'done') {
    const crashed = crashedData(input(rows, { parameters }));
    if (kind === 'lost')
      sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'createAusRequest', calls: [1] });
    await runWorkflow(input(rows, { parameters, from: crashed }));
    sandbox.control.clearFaults();
    return recovered(crashed, ['Rows', 'Payment Platform']);
  }

  test('a saved card is submitted once if a row gets the card of another row in a retry', async () => {
    const ids = saved(101);
    const [card = '', last = ''] = [ids[7], ids[100]];
    const rows = [{ cards: ids.slice(0, 100) }, { cards: [last] }];
    sandbox.control.addFault({ kind: 'status', status: 400, code: 2, operationId: 'createAusRequest', calls: [2] });
    const { run } = await runWorkflow(input(rows, { parameters: whole, onError: 'stopWorkflow' }));
    sandbox.control.clearFaults();
    const parameters = submitting(`$json.cards.length === 1 ? [$json.cards[0], '${card}'] : $json.cards`);
    const retried = await runWorkflow(input(rows, { parameters, retryOf: run }));
    expect(sent()).toEqual([ids.slice(0, 100), [last], [last]]);
    const id = retried.items[0]?.json.request_id as string;
    expect(submitted(retried)).toEqual([
      [{ item: 0 }, ids.slice(0, 100), id],
      [{ item: 1 }, [card], id],
      [{ item: 1 }, [last], expect.not.stringMatching(id)],
    ]);
    expect(retried.items[1]?.json).toMatchObject({
      cnt_request: 100,
      what_happened: 'Submitted 1 saved card to the account updater.',
    });
  });

  test.each(['first', 'second'])(
    'a saved card in several rows is submitted once if n8n was killed and the %s row was refused',
    async (refused) => {
      const [a = '', b = ''] = saved(2);
      const rows = [
        { name: 'first', cards: a },
        { name: 'second', cards: a },
        { name: 'third', cards: b },
      ];
      const retryOf = await interrupted(rows, refusing(refused), 'done');
      const retried = await runWorkflow(input(rows, { parameters: whole, retryOf }));
      expect(sent()).toEqual([[a, b]]);
      expect(retried.items.map(({ json }) => json.done_by_earlier_try)).toEqual([true, true, true]);
    },
  );

  test.each(['first', 'second'])(
    'all rows with a saved card have the same outcome if the response is lost (%s row)',
    async (refused) => {
      const [a = ''] = saved(1);
      const rows = ['first', 'second'].map((name) => ({ name, cards: a }));
      const retryOf = await interrupted(rows, refusing(refused), 'lost');
      const asked = await runWorkflow(input(rows, { parameters: whole, retryOf: structuredClone(retryOf) }));
      expect(errorsOf(asked).map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown']);
      const [code, other] = errorsOf(asked).map(({ resolveCode }) => resolveCode as string);
      expect(other).toBe(code);
      const resolving = (finding: string) =>
        submitting('$json.cards', {
          options: { unknownOutcome: 'resolve', resolve: { item: [{ code, finding }] } } as never,
        });
      const applied = await runWorkflow(
        input(rows, { parameters: resolving('applied'), retryOf: structuredClone(retryOf) }),
      );
      expect(applied.items.map(({ json }) => json.confirmed_by_person)).toEqual([true, true]);
      expect(sent()).toEqual([[a]]);
      const again = await runWorkflow(input(rows, { parameters: resolving('notApplied'), retryOf }));
      expect(sent()).toEqual([[a], [a]]);
      expect(submitted(again).map(([item, cards]) => [item, cards])).toEqual([
        [{ item: 0 }, [a]],
        [{ item: 1 }, [a]],
      ]);
    },
  );
});
