import type { IDataObject } from 'n8n-workflow';

import { generateReference } from '../../../nodes/PaymentPlatform/fields/common';
import { readFields } from '../../../nodes/PaymentPlatform/fields/read-field';
import type { FileFacts, Problem, ReadContext } from '../../../nodes/PaymentPlatform/fields/types';
import { declaredFields } from '../../../nodes/PaymentPlatform/model/operation';
import { operationParameters } from '../../../nodes/PaymentPlatform/panel/node-properties';
import { lacksReference } from '../../../nodes/PaymentPlatform/once/make-reference';
import { planItem } from '../../../nodes/PaymentPlatform/run/plan-item';
import type { Account, Operation, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { create as createCheckout } from '../../../nodes/PaymentPlatform/resources/checkout/create';
import { update as updateCustomer } from '../../../nodes/PaymentPlatform/resources/customer/update';
import { copy as copyInvoice } from '../../../nodes/PaymentPlatform/resources/invoice/copy';
import { create as createInvoice } from '../../../nodes/PaymentPlatform/resources/invoice/create';
import { create as createSubscription } from '../../../nodes/PaymentPlatform/resources/subscription/create';
import { update as updateSubscription } from '../../../nodes/PaymentPlatform/resources/subscription/update';
import { authorize } from '../../../nodes/PaymentPlatform/resources/transaction/authorize';
import { credit } from '../../../nodes/PaymentPlatform/resources/transaction/credit';
import { force } from '../../../nodes/PaymentPlatform/resources/transaction/force';
import { refund } from '../../../nodes/PaymentPlatform/resources/transaction/refund';
import { payout } from '../../../nodes/PaymentPlatform/resources/transaction/payout';
import { sale } from '../../../nodes/PaymentPlatform/resources/transaction/sale';
import { respond } from '../../../nodes/PaymentPlatform/resources/dispute/respond';
import { getFees } from '../../../nodes/PaymentPlatform/resources/report/get-fees';
import { contextOf } from '../context';

const read = ({ fields }: Operation, parameters: object, more: Partial<ReadContext> = {}) => {
  const problems: Problem[] = [];
  const value = readFields(fields, parameters as IDataObject, problems, { timezone: 'utc', ...more });
  return problems.length > 0 ? problems.map(({ label, found, allowed }) => `${label}: ${found}; ${allowed}`) : value;
};

const planOf = (operation: Operation, parameters: object) =>
  planItem(contextOf({ ...parameters }), operation, { merchantId: '1' } as Account, 0);

describe('a charge with 52 fields in sections', () => {
  const names = declaredFields(sale).map(({ name }) => name);

  test('a charge with 52 fields in sections contains every field once and shows only a few of them at first', () => {
    expect([new Set(names).size, names.length]).toEqual([52, 52]);
    const parameters = operationParameters(sale);
    const open = parameters.filter(({ displayOptions }) => displayOptions === undefined);
    expect(open.map(({ name }) => name)).toEqual(['paymentMethod', 'amt_tran', 'additionalFields', 'options']);
    const additional = open.find(({ name }) => name === 'additionalFields')?.options ?? [];
    expect(additional.filter((one) => 'type' in one && one.type === 'collection')).toHaveLength(6);
  });

  test('a charge with 52 fields in sections sends the fields of all sections at the same level', () => {
    const planned = planOf(sale, {
      ...{ paymentMethod: 'card', amt_tran: 12.5, card_number: '4111111111111111', exp_date: '1230' },
      additionalFields: { billingAddress: { avs_zip: '97477' }, levelData: { amt_tax: '1.25' }, purchase_id: 'A1' },
    });
    expect(planned).toMatchObject({
      request: {
        values: {
          body: {
            ...{ amt_tran: 12.5, card_number: '4111111111111111', exp_date: '1230' },
            ...{ avs_zip: '97477', amt_tax: 1.25, purchase_id: 'A1' },
          },
        },
      },
    });
  });

  test('a charge with 52 fields in sections refuses a section whose expression returns another type', () => {
    expect(read({ ...sale, fields: sale.additional ?? [] }, { billingAddress: 'x' })).toEqual([
      'Billing Address and Contact: "x"; must be an object',
    ]);
  });
});

describe('a reference that the node generates', () => {
  const charge = { paymentMethod: 'savedCard', card_id: 'a1', amt_tran: 12.5 };
  const lacks = (operation: Operation, body: object, node: object = {}) =>
    lacksReference({ operation, values: { path: {}, query: {}, body, node } } as unknown as PlannedRequest);

  test('a reference is not part of a planned item, unless the user enters it', () => {
    const of = (parameters: object) => {
      const planned = planOf(sale, { ...charge, ...parameters });
      return 'request' in planned ? { ...planned.request.values.body, lacks: lacksReference(planned.request) } : {};
    };
    expect(of({})).not.toHaveProperty('merch_ref_num');
    expect(of({})).toHaveProperty('lacks', true);
    expect(of({ additionalFields: { purchase_id: 'ORDER-1' } })).toHaveProperty('lacks', true);
    expect(of({ additionalFields: { merch_ref_num: 'R-1' } })).toMatchObject({ merch_ref_num: 'R-1', lacks: false });
  });

  test.each<[Operation, string]>([
    [sale, 'merch_ref_num'],
    [authorize, 'merch_ref_num'],
    [credit, 'merch_ref_num'],
    [force, 'merch_ref_num'],
    [payout, 'merch_ref_num'],
    [createCheckout, 'merch_ref_num'],
    [createSubscription, 'purchase_id'],
  ])('a reference is generated for every item without one: $action', (operation, name) => {
    expect(operation.reference).toEqual({ name });
    expect([lacks(operation, {}), lacks(operation, { [name]: ' ' }), lacks(operation, { [name]: 'A' })]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test.each([[createInvoice], [copyInvoice]])(
    'a number is generated only if the user turns on the switch: $action',
    (operation) => {
      expect(operation.reference).toEqual({ name: 'invoice_number', isOptional: true });
      const on = { [generateReference.name]: true };
      expect([lacks(operation, {}), lacks(operation, {}, on), lacks(operation, { invoice_number: 'N' }, on)]).toEqual([
        false,
        true,
        false,
      ]);
    },
  );

  test('a refund has no field for a reference', () => expect(lacks(refund, {})).toBe(false));
});

test('an update of a customer sends only fields with a value', () => {
  const values = { customer_id: 'C1', customer_first_name: '', customer_phone: '', customer_email: 'ana@example.com' };
  expect(planOf(updateCustomer, values)).toMatchObject({
    request: { values: { body: { customer_email: 'ana@example.com' } } },
  });
  expect(read(updateCustomer, values)).not.toHaveProperty('customer_phone');
});

test.each([
  [{ chargedBy: 'primary', card_id: 'c1' }, { card_id: '' }],
  [{ chargedBy: 'other', card_id: 'c1' }, { card_id: 'c1' }],
  [{ chargedBy: '', card_id: '' }, {}],
])('an update returns a subscription to the primary card only if the user chose it: %j', (chosen, sent) => {
  const values = read(updateSubscription, { subscription_id: '1', ...chosen });
  expect(values).toEqual({ subscription_id: '1', chargedBy: chosen.chargedBy || undefined, ...sent });
});

describe('responding to a dispute', () => {
  const pdf: FileFacts = {
    fileName: 'a.pdf',
    mimeType: 'application/pdf',
    bytes: 3,
    start: '%PDF-1.7',
    sha256: 'c0ffee',
  };
  const answer = (facts?: FileFacts | 'unreadable') =>
    read(
      respond,
      { rec_id: '1', file: 'data', dispute_response: { message: 'Delivered', tran_date: '2026-03-31' } },
      { file: (property) => (property === 'data' ? facts : undefined) },
    );

  test('sends a file with its hash and a JSON text', () => {
    expect(answer(pdf)).toEqual({
      recId: '1',
      file: { property: 'data', ...pdf, start: undefined },
      disputeResponse: '{"message":"Delivered","tran_date":"2026-03-31T00:00:00.000Z"}',
    });
  });

  test.each([
    [
      'is not there',
      undefined,
      'Evidence File: "data"; must be the name of an input field with the PDF, e.g. from a form or Read/Write Files from Disk',
    ],
    [
      'only claims to be a PDF',
      { ...pdf, start: 'GIF89a' },
      'Evidence File: a file whose content is not PDF; must be a PDF file',
    ],
    ['is no PDF', { ...pdf, mimeType: 'image/png' }, 'Evidence File: a file of the type image/png; must be a PDF file'],
    [
      'is too large',
      { ...pdf, bytes: 10 * 1024 * 1024 + 1 },
      'Evidence File: 10485761 bytes; must be a file of at most 10 MB',
    ],
    [
      'cannot be read',
      'unreadable' as const,
      'Evidence File: a file that n8n no longer stores; must be a readable file',
    ],
    ['is empty', { ...pdf, bytes: 0 }, 'Evidence File: an empty file; must not be an empty file'],
  ])('refuses a file that %s before anything is sent', (_, facts, sentence) => {
    expect(answer(facts)).toEqual([sentence]);
  });
});

describe('a report by month', () => {
  const dateFrom = { first: '2026-03-01', last: '2026-03-31', zone: 'utc' };
  const march = ['billing_month,GREATER,2026-02-27', 'billing_month,LESS,2026-04-02'];

  test.each(['2026-03', '03/2026', '2026-03-15', new Date('2026-03-31T12:00:00Z')])('accepts the month %p', (month) => {
    expect(read(getFees, { month })).toEqual({ filter: march, dateFrom });
  });

  test.each(['2026-03-01', '2026-03-15', '2026-03-31'])('includes the month of the first day %s', (first) => {
    expect(read(getFees, { dateFrom: first, dateTo: '2026-03-31' })).toEqual({ filter: march, dateFrom });
  });

  test("refuses a missing month and values that aren't a month", () => {
    expect(read(getFees, { period: 'month', month: '' })).toEqual(['Month: nothing; is required']);
    expect(read(getFees, { period: 'month', month: '2026-13' })).toEqual([
      'Month: "2026-13"; must be a month, e.g. 2026-03, or a date, e.g. 2026-03-31',
    ]);
  });
});
