import { boolean, choice } from '../../../nodes/PaymentPlatform/fields/kinds/choice';
import { amount, integer } from '../../../nodes/PaymentPlatform/fields/kinds/number';
import { text } from '../../../nodes/PaymentPlatform/fields/kinds/text';
import {
  operation,
  type RecordOf,
  type FootprintOf,
  type ValuesOf,
} from '../../../nodes/PaymentPlatform/model/operation';
import type { Decision, Look, PartialFailure, Step } from '../../../nodes/PaymentPlatform/model/types';
import type { Failure } from '../../../nodes/PaymentPlatform/model/failure';
import { likeText } from '../../../nodes/PaymentPlatform/model/likeness';
import { filterOn } from '../../../nodes/PaymentPlatform/resources/filter-on';
import { removedFootprint } from '../../../nodes/PaymentPlatform/resources/invoice/payments/payment-footprint';
import { lookAt } from '../../../nodes/PaymentPlatform/resources/merge-with-current';
import { refundFootprint } from '../../../nodes/PaymentPlatform/resources/transaction/footprint';
import { asText, only } from '../../../nodes/PaymentPlatform/shared/objects';
import * as wire from '../../../nodes/PaymentPlatform/wire/operations';

const seen = { label: 'A', description: '' };
const about = { value: 'a', name: 'A', action: 'a', description: '', fields: [] };
const refunding = { ...about, request: wire.refund.request };
const listing = { ...about, request: wire.browseInvoices.request };
const failure: Failure = { outcome: 'declined', message: '', advice: '' };
const decide = (): Decision => ({ refuse: '' });
const no = (why: unknown): Decision => ({ refuse: asText(why) });
const missed = (part: unknown): PartialFailure => ({ text: asText(part), about: '', failure });
const from = (path: unknown) => ({ path: asText(path), identity: 'pg_id' });
const at = (path: unknown): Look => ({ path: asText(path), family: 'platform' });

type Refunded = FootprintOf<'refund', 'getTransactionRequests'>;
const list = { path: '/', identity: 'pg_id' } as const;
const footprint = {
  list,
  filter: () => [],
  isIdentifiable: () => true,
  key: () => '',
  lifetime: 'minutes',
  compare: () => [],
  where: '',
  agreement: '',
} as const satisfies Refunded;

type Lacks<Fields, Name extends string> = Name extends keyof Fields ? false : true;

test('the compiler knows the fields of each operation and its record', () => {
  const lacks: [
    Lacks<typeof wire.refund.body, 'cvv2'>,
    Lacks<typeof wire.refund.path, 'amt_tran'>,
    Lacks<RecordOf<'refund'>, 'invoice_id'>,
  ] = [true, true, true];
  const has: [Lacks<typeof wire.refund.body, 'amt_tran'>, Lacks<RecordOf<'browseCustomers'>, 'customer_id'>] = [
    false,
    false,
  ];
  expect([...lacks, ...has]).toHaveLength(5);
});

/** `npm run typecheck` fails if the compiler accepts an invalid declaration. */
test("a declaration with a field that the operation lacks doesn't compile", () => {
  const wrong = (): unknown[] => [
    // @ts-expect-error unknown
    amount({ ...wire.refund.body.loc_id, ...seen }),
    // @ts-expect-error unknown
    text({ ...wire.refund.body.amt_tran, ...seen }),
    // @ts-expect-error unknown
    integer({ ...wire.refund.body.amt_tran, ...seen }),
    // @ts-expect-error unknown
    choice({ ...wire.addInvoicePayment.body.type, ...seen, options: [{ name: 'Card', value: 'CARD' }] }),
    // @ts-expect-error unknown
    boolean({ ...wire.tokenize.body.card_id, ...seen }),
    // @ts-expect-error unknown
    operation({ ...about, request: wire.refund.request, check: ({ body }) => (body.amt_paid === 1 ? [] : []) }),
    // @ts-expect-error unknown
    operation({ ...about, request: wire.refund.request, check: ({ body }) => (body.amt_tran === '1' ? [] : []) }),
    // @ts-expect-error unknown
    operation({ ...about, request: wire.refund.request, lookUp: 'Look for {invoice_id}.' }),
    // @ts-expect-error unknown
    operation({ ...about, request: wire.refund.request, sameObject: 'customer_id' }),
    // @ts-expect-error unknown
    operation({ ...listing, sameObject: 'invoice_id' }),
    // @ts-expect-error unknown
    operation({ ...listing, lookUp: 'Look for {invoice_id}.' }),
    // @ts-expect-error unknown
    operation({ ...about, request: wire.browseCustomers.request, simplified: (record) => only(record, ['name']) }),
  ];
  expect(wrong).toEqual(expect.any(Function));
});

test("a summary, list or sum with an unknown name doesn't compile", () => {
  const wrong = (): unknown[] => [
    // @ts-expect-error unknown
    operation({ ...refunding, notice: ({ body }) => asText(body.invoice_id) }),
    // @ts-expect-error unknown
    operation({ ...refunding, money: { by: 'amt_paid' } }),
    // @ts-expect-error unknown
    operation({ ...refunding, money: () => ({ by: 'amt_paid' }) }),
    // @ts-expect-error unknown
    operation({ ...refunding, simplified: (record) => only(record, ['pg_id']), addedBySimplify: ['customer_name'] }),
    // @ts-expect-error unknown
    operation({ ...listing, list: { identity: 'payment_id', fields: [] } }),
    // @ts-expect-error unknown
    operation({ ...listing, list: { fields: [{ name: 'Payment', value: 'payment_id' }] } }),
    // @ts-expect-error unknown
    operation({ ...listing, list: { fields: [], day: ['tran_time'] } }),
  ];
  expect(wrong).toEqual(expect.any(Function));
});

test("a step or check that reads an unknown name doesn't compile", () => {
  const wrong = (): unknown[] => [
    // @ts-expect-error unknown
    operation({ ...refunding, steps: { sends: [], each: [{ look: ({ path }) => at(path.invoice_id), decide }] } }),
    // @ts-expect-error unknown
    operation({ ...refunding, steps: { sends: [], each: [{ decide: (_, { body }) => no(body.invoice_id) }] } }),
    // @ts-expect-error unknown
    { decide: ([found]) => no(found?.payment_id) } satisfies Step<ValuesOf<'refund'>, RecordOf<'getInvoiceDetail'>>,
    // @ts-expect-error unknown
    operation({ ...refunding, partialFailure: { find: (record) => missed(record.response), fails: () => true } }),
    operation({
      ...refunding,
      // @ts-expect-error unknown
      partialFailure: { find: () => undefined, fails: ({ body }) => body.invoice_id === '1' },
    }),
    // @ts-expect-error unknown
    lookAt(wire.getInvoiceDetail.request, { path: { payment_id: '1' }, body: {} }),
  ];
  expect(wrong).toEqual(expect.any(Function));
});

test("a footprint with an unknown field name doesn't compile", () => {
  const wrong = (): unknown[] => [
    // @ts-expect-error unknown
    operation({ ...refunding, footprint: { ...footprint, filter: ({ body }) => filterOn('pg_id', body.invoice_id) } }),
    // @ts-expect-error unknown
    operation({ ...refunding, footprint: { ...footprint, isIdentifiable: ({ path }) => path.invoice_id === '1' } }),
    // @ts-expect-error unknown
    operation({ ...refunding, footprint: { ...footprint, key: ({ body }) => asText(body.invoice_id) } }),
    operation({
      ...refunding,
      // @ts-expect-error unknown
      footprint: { ...footprint, list: { ...list, pathOf: ({ path }) => asText(path.invoice_id) } },
    }),
    operation({
      ...refunding,
      // @ts-expect-error unknown
      footprint: { ...footprint, lifetime: ({ body }) => (body.invoice_id ? 'day' : 'always') },
    }),
    // @ts-expect-error unknown
    operation({ ...refunding, reference: { name: 'invoice_number' } }),
    // @ts-expect-error unknown
    operation({ ...refunding, footprint: { ...footprint, source: ({ path }) => from(path.invoice_id) } }),
    // @ts-expect-error unknown
    operation({ ...refunding, footprint: removedFootprint }),
    // @ts-expect-error unknown
    { ...footprint, compare: (_, { body }) => [likeText('1', body.invoice_id)] } satisfies Refunded,
    // @ts-expect-error unknown
    { ...footprint, compare: (record) => [likeText(record.invoice_id, '1')] } satisfies Refunded,
    // @ts-expect-error unknown
    { ...footprint, applied: (record) => likeText(record.invoice_id, '1') } satisfies Refunded,
    // @ts-expect-error unknown
    { ...footprint, occupies: (record) => record.invoice_id === '1' } satisfies Refunded,
    // @ts-expect-error unknown
    { ...footprint, details: { name: 'rows', path: (record) => asText(record.invoice_id) } } satisfies Refunded,
    // @ts-expect-error unknown
    { ...footprint, list: { ...list, identity: 'invoice_id' } } satisfies Refunded,
    // @ts-expect-error unknown
    { ...footprint, list: { ...list, newestBy: 'invoice_id' } } satisfies Refunded,
    // @ts-expect-error unknown
    { ...footprint, filter: ({ path }) => filterOn('invoice_id', path.pgIdOrig) } satisfies Refunded,
  ];
  expect(wrong).toEqual(expect.any(Function));
});

test("a declaration with the operation's own names compiles", () => {
  const right = operation({
    ...about,
    request: wire.refund.request,
    check: ({ body, path }) => (body.amt_tran === 1 && path.pgIdOrig === '1' ? [] : []),
    present: (record) => ({ pg_id: record.pg_id }),
    lookUp: 'Look for {pgIdOrig} and {amt_tran}.',
    sameObject: 'pgIdOrig',
    notice: ({ body }) => asText(body.loc_id),
    money: { by: 'amt_tran' },
    simplified: (record) => ({ ...only(record, ['pg_id']), total: 1 }),
    addedBySimplify: ['total'],
    footprint: refundFootprint,
  });
  expect(right.request.path).toBe('/pg/refund/{pgIdOrig}');
  const invoices = {
    identity: 'invoice_id',
    fields: [{ name: 'Total', value: 'amt_tran' }],
    day: ['date_due'],
  } as const;
  expect(operation({ ...listing, list: { ...invoices, fields: [...invoices.fields] } }).list).toEqual(invoices);
});
