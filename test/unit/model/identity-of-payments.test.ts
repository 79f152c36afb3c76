import type { IDataObject } from 'n8n-workflow';

import {
  identifyPayment,
  identifyWrite,
  isSamePayment,
  OWNER,
  partyOf,
  setsState,
} from '../../../nodes/PaymentPlatform/model/identity';
import type { Operation, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { tokenize } from '../../../nodes/PaymentPlatform/resources/card/tokenize';
import { create as createInvoice } from '../../../nodes/PaymentPlatform/resources/invoice/create';
import { request as apiRequest } from '../../../nodes/PaymentPlatform/resources/api/request';
import { create as createSubscription } from '../../../nodes/PaymentPlatform/resources/subscription/create';
import { authorize } from '../../../nodes/PaymentPlatform/resources/transaction/authorize';
import { capture } from '../../../nodes/PaymentPlatform/resources/transaction/capture';
import { credit } from '../../../nodes/PaymentPlatform/resources/transaction/credit';
import { force } from '../../../nodes/PaymentPlatform/resources/transaction/force';
import { payout } from '../../../nodes/PaymentPlatform/resources/transaction/payout';
import { recharge } from '../../../nodes/PaymentPlatform/resources/transaction/recharge';
import { refund } from '../../../nodes/PaymentPlatform/resources/transaction/refund';
import { sale } from '../../../nodes/PaymentPlatform/resources/transaction/sale';
import { voidTransaction } from '../../../nodes/PaymentPlatform/resources/transaction/void';

const MERCHANT = '100000000001';

const requestOf = (operation: Operation, body: IDataObject, more: object = {}, changes: object = {}) =>
  ({
    operation,
    method: operation.request.method,
    path: operation.request.path.replace('{pgIdOrig}', '42'),
    part: 0,
    values: { path: {}, query: {}, body, node: {}, merchant: MERCHANT, ...more },
    ...changes,
  }) as unknown as PlannedRequest;
const charge = (body: IDataObject, more: object = {}) =>
  JSON.stringify(identifyWrite(requestOf(sale, { amt_tran: 25, ...body }, more)));

const customer = charge({ customer_id: 'C1' });
const card = charge({ card_number: '4111111111111111' });

describe('calls that are the same payment', () => {
  test.each<[string, IDataObject]>([
    ['the name', { cardholder_name: 'Ana Silva' }],
    ['the security code', { cvv2: '123' }],
    ['the expiration date', { exp_date: '1230' }],
    ['the email address', { customer_email: 'ana@example.com' }],
    ['the receipt address', { email_address: ['ana@example.com'], email_receipt: true }],
    ['the billing address', { avs_address: '1 Main St', avs_zip: '97477' }],
    ['the details of the customer', { customer: { customer_first_name: 'Ana', billing_city: 'Springfield' } }],
    ['the network address', { client_ip: '::1' }],
    ['the references', { purchase_id: 'A1', merch_ref_num: 'R1' }],
    ['the memo', { memo: 'x', echo_fields: '[]', report_data: '[]', comments: 'y' }],
    ['the statement', { dba_name: 'Shop', dba_suffix: 'END PROMO' }],
    ['the channel and the switches', { moto_ecomm_ind: '2', partial_auth: true, tokenize: true, single_use: false }],
    ['the window for duplicates', { duplicate_seconds: 0 }],
    ['the profile', { profile_id: 1, loc_id: '2', vendor_id: 3, developer_id: 'd' }],
    ['the default currency', { tran_currency: '840' }],
    ['the default currency as a number', { tran_currency: 840 }],
    ['the amount as text', { amt_tran: ' 25.00 ' }],
    ['a fee of 0', { amt_convenience_fee: 0, amt_tran_fee: '0.00' }],
    ["the merchant's own ID", { merchant_id: MERCHANT }],
    ['an empty field', { card_swipe: '', fbo_id: null, amt_fbo: undefined }],
  ])('calls are the same payment, regardless of %s', (_, more) => {
    expect(charge({ customer_id: 'C1', ...more })).toBe(customer);
    expect(charge({ card_number: '4111111111111111', ...more })).toBe(card);
  });

  test('a customer with and without a card of its own is the same payment', () => {
    const owner = { node: { [OWNER]: 'C1' } };
    expect(charge({ card_id: 'k1' }, owner)).toBe(customer);
    expect(charge({ card_id: 'k2' }, owner)).toBe(customer);
    expect(charge({ customer_id: 'C1', card_id: 'k1' })).toBe(customer);
    expect(charge({ card_id: 'k1' }, { node: { [OWNER]: ' C1 ' } })).toBe(customer);
    expect(charge({ card_id: 'k1' })).not.toBe(customer);
    expect(charge({ card_id: 'k1' })).not.toBe(charge({ card_id: 'k2' }));
    expect(charge({ card_id: 'k1' }, { node: { [OWNER]: 'C2' } })).not.toBe(customer);
  });

  test('a fee is part of the amount', () => {
    const of = (amt_tran: unknown, more: IDataObject = {}) => charge({ customer_id: 'C1', amt_tran, ...more } as never);
    expect(of(25, { amt_convenience_fee: 1, amt_tran_fee: '0.5' })).toBe(of('26.50'));
    expect(of('25.00', { amt_tran_fee: 1.1 })).toBe(of(26.1));
    expect(of(0.1, { amt_convenience_fee: 0.2 })).toBe(of(0.3));
    expect(of(25, { amt_convenience_fee: 1 })).not.toBe(customer);
    expect(of(25, { amt_convenience_fee: 'one' })).not.toBe(customer);
    expect(of('x', { amt_convenience_fee: 1 })).not.toBe(of('x'));
    expect(of(undefined, { amt_convenience_fee: 1 })).not.toBe(of(undefined));
  });

  test.each<[string, IDataObject, IDataObject]>([
    ['spaces in a card number', { card_number: '4111 1111 1111 1111' }, { card_number: '4111111111111111' }],
    ['leading zeros of an account', { dda_number: '000123543541' }, { dda_number: '123543541' }],
    ['an account as a number', { dda_number: 123543541 }, { dda_number: '000123543541' }],
    ['leading zeros of a routing number', { tr_number: '021000021' }, { tr_number: 21000021 }],
  ])('%s are not compared', (_, one, other) => expect(charge(one)).toBe(charge(other)));

  test('only the last four digits of a card or account identify a payment', () => {
    const numbers = { card_number: '4111111111111111', tr_number: '021000021', dda_number: '000123543541' };
    for (const [name, value] of Object.entries({ ...numbers, card_swipe: '%B4111111111111111^SILVA/ANA^3012' })) {
      const identity = charge({ [name]: value });
      expect(identity).toMatch(/\["\w+","\d{4}"\]/);
      expect(identity.replaceAll(MERCHANT, '')).not.toMatch(/\d{5}/);
    }
    expect(charge({ card_number: '123' })).toContain('"123"');
  });
});

describe('calls for a subscription of a new customer', () => {
  const account = { tr_number: '021000021', dda_number: '000123543541' };
  const terms = { plan_frequency: 3, plan_duration: 12, amt_tran: 10 };
  const joined = (customer: IDataObject, operation = createSubscription) =>
    identifyWrite(requestOf(operation, { ...terms, customer }, {}, { method: 'POST', path: '/platform/subscription' }));
  const ana = {
    customer_first_name: 'Ana',
    billing_cards: [{ card_number: '4111111111111111', billing_zip: '97477' }],
  };

  test.each([createSubscription, apiRequest])('are the same payment with the same card: $value', (operation) => {
    const cards = [{ card_number: '4111 1111 1111 1111', exp_date: '1230', card_id: 'k' }];
    const reworded = { customer_first_name: 'ANA', customer_id: 'C1', billing_cards: cards };
    expect(joined(reworded, operation)).toEqual(joined(ana, operation));
    const second = { card_number: '5555555555554444' };
    expect(joined({ billing_cards: [...cards, second] }, operation)).toEqual(joined(ana, operation));
  });

  test.each<[string, IDataObject]>([
    ['another card', { ...ana, billing_cards: [{ card_number: '5555555555554444' }] }],
    ['a bank account', { ...ana, billing_cards: [account] }],
    ['another primary card', { ...ana, billing_cards: [...ana.billing_cards, { ...account, primary: true }] }],
    ['no card', { customer_first_name: 'Ana' }],
  ])('are different payments with %s', (_, customer) => expect(joined(customer)).not.toEqual(joined(ana)));

  test('are different payments if the names differ and the request contains no card', () => {
    expect(joined({ customer_first_name: 'Bo' })).not.toEqual(joined({ customer_first_name: 'Ana' }));
  });

  test('are the same payment if API Request names the default of a field', () => {
    const of = (more: IDataObject) =>
      identifyWrite(
        requestOf(apiRequest, { customer_id: 'C1', ...terms, ...more }, {}, { path: '/platform/subscription' }),
      );
    for (const more of [{ interval: 1 }, { interval: '1' }, { amt_setup: 0 }, { amt_setup: '0.00' }])
      expect(of(more)).toEqual(of({}));
    for (const more of [{ interval: 2 }, { amt_setup: 5 }]) expect(of(more)).not.toEqual(of({}));
  });
});

describe('calls that are different payments', () => {
  test.each<[string, IDataObject]>([
    ['amount', { amt_tran: 25.01 }],
    ['customer', { customer_id: 'C2' }],
    ['currency', { tran_currency: '978' }],
    ['fee', { amt_tran_fee: 0.01 }],
    ['prepaid account', { fbo_id: 7, amt_fbo: 5 }],
  ])('calls with another %s are different payments', (_, more) =>
    expect(charge({ customer_id: 'C1', ...more })).not.toBe(customer),
  );

  test.each<[string, IDataObject, IDataObject]>([
    ['cards', { card_number: '4111111111111111' }, { card_number: '4111111111112222' }],
    ['saved cards', { card_id: 'k1' }, { card_id: 'k2' }],
    ['accounts', { dda_number: '000123543541' }, { dda_number: '000123543542' }],
    ['wallets', { payload_walletA_pay: 'x' }, { payload_walletB_pay: 'x' }],
    ['wallet payloads', { payload_walletA_pay: 'x' }, { payload_walletA_pay: 'y' }],
    ['names without any other payer', { cardholder_name: 'Ana' }, { cardholder_name: 'Bo' }],
  ])('calls with different %s are different payments', (_, one, other) => expect(charge(one)).not.toBe(charge(other)));

  test('calls for different merchants are different payments', () => {
    expect(charge({ customer_id: 'C1' }, { merchant: '2' })).not.toBe(customer);
    expect(charge({ customer_id: 'C1' }, { merchant: undefined })).not.toBe(customer);
    expect(charge({ customer_id: 'C1', merchant_id: '3' }, { merchant: '2' })).toBe(
      charge({ customer_id: 'C1' }, { merchant: '2' }),
    );
  });

  test('calls of different operations are different payments', () => {
    const all = [sale, authorize, credit, force].map((operation) =>
      JSON.stringify(identifyWrite(requestOf(operation, { amt_tran: 25, customer_id: 'C1' }))),
    );
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('a request to the path of an operation', () => {
  const bodies: Array<[Operation, IDataObject]> = [
    [sale, { customer_id: 'C1', amt_tran: 25 }],
    [authorize, { card_number: '4111111111111111', exp_date: '1230', amt_tran: 25 }],
    [credit, { card_id: 'k1', amt_tran: 25 }],
    [force, { customer_id: 'C1', amt_tran: 25, auth_code: 'A1' }],
    [recharge, { amt_tran: 25 }],
    [refund, { amt_tran: 25 }],
    [capture, { amt_tran: 25 }],
    [voidTransaction, {}],
    [payout, { payee_id: '9', amt_tran: 25, merch_ref_num: 'P-1' }],
    [createInvoice, { customer_id: 'C1', line_items: [{ quantity: 1, description: 'Hour', unit_cost: 5 }] }],
  ];

  test.each(bodies)('a request to the path of an operation is the same payment: $value', (operation, body) => {
    const own = requestOf(operation, body);
    const { method, path } = own;
    const spelled = {
      ...body,
      ...(body.amt_tran !== undefined && { amt_tran: '25.00', tran_currency: '840' }),
      memo: 'x',
    };
    const other = requestOf(apiRequest, spelled, {}, { method, path });
    expect(isSamePayment({ ...own, values: { ...own.values, body: { ...body } } }, own)).toBe(true);
    expect(identifyWrite(other)).toEqual(identifyWrite(own));
    expect(identifyWrite({ ...other, path: `${path}/x` })).not.toEqual(identifyWrite(own));
    expect(identifyWrite({ ...other, method: 'PUT' })).not.toEqual(identifyWrite(own));
  });
});

test('requests of API Request with other lines, and cards with other dates, are different writes without an amount', () => {
  const invoice = (unit_cost: number) => {
    const body = { customer_id: 'C1', line_items: [{ quantity: 1, description: 'Hour', unit_cost }] };
    return identifyWrite(requestOf(apiRequest, body, {}, { method: 'POST', path: '/platform/invoice' }));
  };
  expect(invoice(5)).not.toEqual(invoice(6));
  const noted = (line_items: unknown) => charge({ customer_id: 'C1', line_items } as IDataObject);
  expect(noted('[{"a":1}]')).toBe(customer);
  const saved = (exp_date: string) => identifyWrite(requestOf(tokenize, { card_number: '4111111111111111', exp_date }));
  expect(saved('1230')).not.toEqual(saved('0131'));
});

test('the party of a payment is named by its own fields', () => {
  const body = { customer_id: ' C1 ', payee_id: ' 9 ', card_id: ' k1 ', card_number: '', dda_number: 123, memo: 'x' };
  expect(partyOf({ body, merchant: MERCHANT })).toEqual({
    ...{ merchant: MERCHANT, customer: 'C1', payee: '9' },
    accounts: { card_id: 'k1', dda_number: '123' },
  });
  expect(partyOf({ body: {} })).toEqual({ accounts: {} });
  expect(partyOf({ body: {}, node: { [OWNER]: 'C2' } })).toEqual({ customer: 'C2', accounts: {} });
  expect(partyOf({ body: { customer_id: '' }, node: { [OWNER]: 'C2' } }).customer).toBe('C2');
  expect(partyOf({ body: { customer_id: 'C1' }, node: { [OWNER]: 'C2' } }).customer).toBe('C1');
});

describe('the payment of a key', () => {
  const pay = (body: IDataObject, more: object = {}) =>
    requestOf(sale, { customer_id: 'C1', amt_tran: 25, ...body }, more);
  const first = pay({ purchase_id: 'A1', merch_ref_num: 'R1' });

  test.each<[string, IDataObject, boolean]>([
    ['the same references', { purchase_id: 'A1', merch_ref_num: 'R1' }, true],
    ['the references in another order', { merch_ref_num: 'R1', purchase_id: 'A1' }, true],
    ['the references with spaces', { purchase_id: ' A1 ', merch_ref_num: 'R1' }, true],
    ['other wording', { purchase_id: 'A1', merch_ref_num: 'R1', cardholder_name: 'Ana', memo: 'x' }, true],
    ['another purchase ID', { purchase_id: 'A2', merch_ref_num: 'R1' }, false],
    ['no reference number', { purchase_id: 'A1' }, false],
    ['the references the other way round', { purchase_id: 'R1', merch_ref_num: 'A1' }, false],
    ['another amount', { purchase_id: 'A1', merch_ref_num: 'R1', amt_tran: 26 }, false],
  ])("the payment of a key counts the person's references: %s", (_, body, isSame) => {
    expect(isSamePayment(pay(body), first)).toBe(isSame);
    expect(JSON.stringify(identifyPayment(pay(body))) === JSON.stringify(identifyPayment(first))).toBe(isSame);
  });

  test("the payment of a key doesn't count the reference that the node generated", () => {
    const own = (value: string, name = 'merch_ref_num') =>
      pay({ purchase_id: 'A1', [name]: value }, { reference: { name, value, isLasting: true } });
    expect(isSamePayment(own('X'), own('Y'))).toBe(true);
    expect(isSamePayment(own('X'), pay({ purchase_id: 'A1' }))).toBe(true);
    expect(isSamePayment(own('X', 'purchase_id'), own('X'))).toBe(false);
    expect(identifyPayment(pay({ purchase_id: '' }))).toEqual(identifyPayment(pay({})));
  });

  test('the payment of a key is that of the item, even if the node sends another request', () => {
    const asked = pay({ purchase_id: 'A1' });
    const decided = { ...pay({ purchase_id: 'A2', amt_tran: 1 }), decided: { asked, to: sale.request, kept: [] } };
    expect(isSamePayment(decided, asked)).toBe(true);
  });
});

test('a write sets a state if it says so or can be repeated', () => {
  const of = (effect: string, sets?: true) =>
    setsState({ request: { ...sale.request, effect } as never, setsState: sets });
  expect([of('writesOnce'), of('writesOnce', true), of('repeatsSafely')]).toEqual([false, true, true]);
});
