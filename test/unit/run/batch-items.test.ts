import type { IDataObject } from 'n8n-workflow';

import { choice } from '../../../nodes/PaymentPlatform/fields/kinds/choice';
import { group, section } from '../../../nodes/PaymentPlatform/fields/kinds/group';
import { text } from '../../../nodes/PaymentPlatform/fields/kinds/text';
import type { Field } from '../../../nodes/PaymentPlatform/fields/types';
import { when } from '../../../nodes/PaymentPlatform/fields/kinds/when';
import { batchItems, withShares } from '../../../nodes/PaymentPlatform/run/batch-items';
import type { Planned } from '../../../nodes/PaymentPlatform/model/types';
import { operationOf } from '../requests';

const seen = { description: '', place: 'body' as const };
const list = (perRequest?: number) =>
  group({
    ...seen,
    name: 'entries',
    label: 'Entries',
    itemLabel: 'Entry',
    type: 'list',
    fields: [text({ ...seen, name: 'id', label: 'ID' })],
    perRequest,
  });
const mode = choice({
  ...seen,
  name: 'mode',
  label: 'Mode',
  place: 'node',
  options: [{ name: 'Many', value: 'many' }],
  default: 'many',
});

/** Plans the requests for items with these bodies. */
function planned(fields: Field[], ...bodies: IDataObject[]) {
  const operation = operationOf({ fields });
  const all = bodies.map((body, item): Planned => ({
    request: {
      items: [item],
      part: 0,
      operation,
      options: { unknownOutcome: 'lookUp', testEnvironmentOnly: false },
      values: { path: {}, query: {}, body, node: {} },
      method: 'POST',
      path: '/platform/invoice',
      family: 'platform',
      effect: 'writesOnce',
      simplify: false,
    },
  }));
  return batchItems(operation, all);
}

/** Returns the items and the body of each request. */
const sent = (...given: Parameters<typeof planned>) =>
  planned(...given).flatMap((plan) =>
    'request' in plan ? [{ items: plan.request.items, part: plan.request.part, body: plan.request.values.body }] : [],
  );
const entries = (...ids: string[]) => ({ entries: ids.map((id) => ({ id })) });

test.each([
  ['stands open', list(2)],
  ['stands in a section', section({ name: 'more', label: 'More', fields: [list(2)] })],
  ['applies under a condition', when(mode, ['many'], list(2))],
])('shares requests between items with a list marked for sharing that %s', (_, field) => {
  expect(sent([field], entries('a'), entries('b', 'c', 'd'), entries('e'))).toEqual([
    { items: [0, 1], part: 0, body: entries('a', 'b') },
    { items: [1], part: 0, body: entries('c', 'd') },
    { items: [2], part: 0, body: entries('e') },
  ]);
});

test('assigns the parts of a shared request to their items', () => {
  const own = planned([list(2)], entries('a'), entries('b', 'c')).map((plan) =>
    'request' in plan ? plan.request.perItem?.map(({ body }) => body) : [],
  );
  expect(own).toEqual([[entries('a'), entries('b')], [entries('c')]]);
});

test('divides one item over several requests', () => {
  expect(sent([list(1)], entries('a', 'b')).map(({ part }) => part)).toEqual([0, 1]);
});

test('shares no request between items that differ outside the list', () => {
  const other = { ...entries('b'), name: 'x' };
  expect(sent([list(9)], entries('a'), other, entries('c'))).toEqual([
    { items: [0, 2], part: 0, body: entries('a', 'c') },
    { items: [1], part: 0, body: other },
  ]);
});

test('sends one request per item without a marked list', () => {
  expect(sent([list()], entries('a'), entries('b')).map(({ items }) => items)).toEqual([[0], [1]]);
});

test('gives no share shares of its own if a request is sent without some of its shares', () => {
  const [plan] = planned([list(9)], entries('a'), entries('b'), entries('c'));
  if (!plan || !('request' in plan)) throw new Error('The items were not planned');
  const rest = withShares(plan.request, plan.request.shares?.slice(1) ?? []);
  expect(rest.shares?.map(({ items, shares }) => ({ items, shares }))).toEqual([
    { items: [1], shares: undefined },
    { items: [2], shares: undefined },
  ]);
});
