import { RecentPayments } from '../../../nodes/PaymentPlatform/limits/recent-payments';
import { NodeHelpers, type IDataObject, type INode, type INodeParameters, type INodeType } from 'n8n-workflow';

import { addNodeType, runWorkflow } from '../harness';
import { recorderForFile } from '../recorder';
import { AFTER, BEFORE } from './versioned/nodes';

addNodeType('before', BEFORE);
addNodeType('after', AFTER);

const recorder = recorderForFile({
  code: 0,
  message: 'Success',
  data: { payment_id: 1, amt_paid: 12.5, status: 'PAID' },
});

const nodeOf = (parameters: INodeParameters, typeVersion: number): INode => ({
  id: '1',
  name: 'P',
  type: 'p',
  typeVersion,
  position: [0, 0],
  parameters,
});

/** Returns saved parameters as the editor loads them, either with all defaults or with none. */
const asN8n = ({ description }: INodeType, saved: INodeParameters, typeVersion: number, withDefaults: boolean) =>
  NodeHelpers.getNodeParameters(
    description.properties,
    saved,
    withDefaults,
    false,
    nodeOf(saved, typeVersion),
    description,
  );

function shown({ description }: INodeType, values: INodeParameters, typeVersion: number): string[] {
  const node = nodeOf(values, typeVersion);
  const open = description.properties.filter((one) => NodeHelpers.displayParameter(values, one, node, description));
  return open.flatMap(({ displayName, type, options = [] }) => [
    displayName,
    ...(type === 'collection'
      ? options.flatMap((one) =>
          'type' in one && NodeHelpers.displayParameter({}, one, node, description, values)
            ? [`${displayName} > ${one.displayName}`]
            : [],
        )
      : []),
  ]);
}

async function ran(type: INodeType, parameters: INodeParameters, typeVersion: number) {
  recorder.requests.length = 0;
  RecentPayments.byIdentity.clear();
  const { items, error } = await runWorkflow({
    rows: [{}],
    parameters,
    credential: recorder.credential as never,
    type: type.description.name,
    settings: { typeVersion },
  });
  return {
    requests: recorder.requests.map(({ method, url, text }) => ({ method, url, text })),
    items: items.map(({ json }) => json),
    error: error?.message,
  };
}

const chosen = { resource: 'invoice', operation: 'addPayment' };
const values = { invoice_id: { __rl: true, mode: 'id', value: '1' }, amt_paid: '12.50', date_payment: '2026-03-31' };

/** Parameters that n8n saved before version 1.1, without defaults. */
const SAVED: Array<[string, INodeParameters]> = [
  ['with all defaults left out', { ...chosen, ...values }],
  ['with other values', { ...chosen, ...values, type: 'OTHER', description: 'Check 1042' }],
  ['with a choice that an expression makes', { ...chosen, ...values, type: '={{ "OTHER" }}' }],
];

describe.each(SAVED)('a workflow saved with version 1, %s, after version 1.1 was added', (_, saved) => {
  test('keeps the values in the editor', () => {
    for (const withDefaults of [true, false])
      expect(asN8n(AFTER, saved, 1, withDefaults)).toEqual(asN8n(BEFORE, saved, 1, withDefaults));
  });

  test('keeps the parameters in the editor', () => {
    const all = asN8n(BEFORE, saved, 1, true) ?? {};
    expect(shown(AFTER, all, 1)).toEqual(shown(BEFORE, all, 1));
  });

  test('sends the same bytes and returns the same output', async () => {
    const before = await ran(BEFORE, saved, 1);
    expect(before.requests).toHaveLength(1);
    expect(await ran(AFTER, saved, 1)).toEqual(before);
  });
});

test('a new node uses version 1.1', () => {
  expect(AFTER.description.defaultVersion).toBe(1.1);
});

test('a new node sends the new default', async () => {
  expect(asN8n(AFTER, chosen, 1.1, true)).toMatchObject({ type: 'CASH' });
  const { requests } = await ran(AFTER, { ...chosen, ...values }, 1.1);
  expect(JSON.parse(requests[0]?.text ?? '')).toMatchObject({ type: 'CASH' });
});

test('a new node shows the moved parameter only in its new position', async () => {
  const labels = shown(AFTER, asN8n(AFTER, chosen, 1.1, true) ?? {}, 1.1);
  expect(labels.filter((label) => label.endsWith('Description'))).toEqual(['Additional Fields > Description']);
  const moved = { ...chosen, ...values, additionalFields: { description: 'Check 1042' } };
  const { requests } = await ran(AFTER, moved, 1.1);
  expect(JSON.parse(requests[0]?.text ?? '')).toMatchObject({ description: 'Check 1042' });
});

test('a new node returns the new output', async () => {
  const { items } = await ran(AFTER, { ...chosen, ...values }, 1.1);
  expect(items).toEqual([expect.objectContaining({ what_happened: 'Recorded.', payment: { status: 'PAID' } })]);
  expect(items[0]).not.toHaveProperty('status');
});

test.each([
  ['an operation since version 1.1', { ...chosen, operation: 'addCash' }, 1.1],
  ['a resource until version 1', { resource: 'payee', operation: 'delete' }, 1],
])('offers and runs %s only in that version', async (_, parameters, version) => {
  const other = version === 1 ? 1.1 : 1;
  const all: IDataObject = { ...values, ...parameters, payee_id: { __rl: true, mode: 'id', value: '9001' } };
  const offered = (at: number) =>
    AFTER.description.properties
      .filter((one) => NodeHelpers.displayParameter(parameters, one, nodeOf(parameters, at), AFTER.description))
      .filter(({ name }) => name === 'resource' || name === 'operation')
      .every(({ name, options = [] }) =>
        options.some((one) => 'value' in one && one.value === Reflect.get(parameters, name)),
      );
  expect([offered(version), offered(other)]).toEqual([true, false]);
  expect((await ran(AFTER, all as INodeParameters, version)).requests).toHaveLength(1);
  expect((await ran(AFTER, all as INodeParameters, other)).error).toMatch(/does not exist/);
});
