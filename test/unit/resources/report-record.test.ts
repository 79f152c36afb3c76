import type { IDataObject } from 'n8n-workflow';

import {
  likeHolder,
  likePayer,
  likeReferences,
  likeType,
  payeeHolder,
  payerOf,
  shownCurrency,
  WITH_DETAIL,
  typeOf,
  letterOf,
  wasRefused,
} from '../../../nodes/PaymentPlatform/resources/transaction/report-record';
import { payoutFootprint } from '../../../nodes/PaymentPlatform/resources/transaction/payout-footprint';
import { compared } from './footprint-cases';

const record = { card_number: '411111xxxxxx1111', cardholder_first_name: 'Ana', cardholder_last_name: 'Silva' };
const payer = (body: IDataObject, more: object = {}, of: object = {}) =>
  likePayer({ ...record, ...more }, { path: {}, body, ...of });

/** A saved customer as the vault shows it. */
const ana = {
  customer_id: 'C1',
  customer_first_name: 'Ana',
  customer_last_name: 'Silva',
  primary_card_number: '411111xxxxxx1111',
  billing_cards: [
    { card_id: 'k1', card_number: '411111xxxxxx1111' },
    { card_id: 'k2', card_number: '555555xxxxxx4444' },
  ],
};
const bo = {
  ...ana,
  ...{ customer_id: 'C2', customer_first_name: 'Bo', customer_last_name: 'Lee', primary_card_number: 'xxxx2222' },
  billing_cards: [{ card_id: 'k3', card_number: 'xxxx2222', billing_first_name: 'Bo', billing_last_name: 'Lee' }],
};

test.each<[string, string, string | undefined]>([
  ['the same card', '4111111111111111', 'equal'],
  ['the same card with spaces', '4111 1111 1111 1111', 'equal'],
  ['a card with other last digits', '4111111111112222', 'different'],
  ['a card with other first digits', '4222221111111111', 'different'],
])('a typed card is compared by its visible digits: %s', (_, card_number, likeness) =>
  expect(payer({ card_number })).toBe(likeness),
);

test('a bank account is compared by its last digits', () => {
  const shown = { card_number: 'xxxxxx3541' };
  expect(payer({ tr_number: '021000021', dda_number: '000123543541' }, shown)).toBe('equal');
  expect(payer({ tr_number: '021000021', dda_number: '000123543542' }, shown)).toBe('different');
  expect(payer({ dda_number: '000123543541' }, { card_number: undefined })).toBe('notShown');
});

test('a typed card excludes the record even if the name is equal', () =>
  expect(payer({ card_number: '4111111111112222', cardholder_name: 'Ana Silva' })).toBe('different'));

test.each<[string, IDataObject]>([
  ['a bare card ID', { card_id: 'k1' }],
  ['a swipe', { card_swipe: '%B4111' }],
  ['a wallet', { payload_walletA_pay: 'x' }],
])('the report does not show who pays with %s', (_, body) => {
  expect(payer(body)).toBe('notShown');
  expect(payer(body, { detail: [{ customer_id: 'C1' }] })).toBe('notShown');
});

describe('a payer who is a saved customer', () => {
  const source = { source: ana };
  const detail = (customer_id?: string) => ({ detail: [{ customer_id }] });

  test("the single transaction's customer decides, even if the name or the card has changed since", () => {
    expect(payer({ customer_id: 'C1' }, detail('C1'))).toBe('equal');
    expect(payer({ customer_id: 'C1' }, detail(' C1 '))).toBe('equal');
    expect(payer({ customer_id: 'C1' }, detail('C2'))).toBe('different');
    expect(payer({ customer_id: 'C1' }, { ...detail('C1'), card_number: 'xxxx9999' }, source)).toBe('equal');
    expect(payer({ customer_id: 'C1' }, detail('C2'), source)).toBe('different');
    expect(payer({ customer_id: 'C1' }, { detail: { customer_id: 'C2' } }, source)).toBe('different');
  });

  test('without a customer in the single transaction, the card and the name of the customer decide', () => {
    for (const more of [{}, { detail: [] }, detail(), detail('')]) {
      expect(payer({ customer_id: 'C1' }, more)).toBe('notShown');
      expect(payer({ customer_id: 'C1' }, more, source)).toBe('equal');
      expect(payer({ customer_id: 'C1' }, more, { source: bo })).toBe('different');
    }
  });

  test('any card of the customer may have been charged', () => {
    expect(payer({ customer_id: 'C1' }, { card_number: '555555xxxxxx4444' }, source)).toBe('equal');
    const without = { ...ana, billing_cards: undefined };
    expect(payer({ customer_id: 'C1' }, {}, { source: without })).toBe('equal');
    expect(payer({ customer_id: 'C1' }, { card_number: 'xxxx4444' }, { source: without })).toBe('notShown');
  });

  test('a saved card of a customer must be the card that was charged', () => {
    const owner = { node: { owner: 'C1' } };
    const by = (card_id: string, more: object = {}) => payer({ card_id }, more, { ...owner, ...source });
    expect(by('k1')).toBe('equal');
    expect(by('k2')).toBe('notShown');
    expect(by('k2', { cardholder_first_name: 'Bo', cardholder_last_name: 'Lee' })).toBe('different');
    expect(by('gone')).toBe('notShown');
    expect(payer({ card_id: 'k1' }, detail('C1'), { ...owner, ...source })).toBe('equal');
    expect(payer({ card_id: 'k2' }, detail('C1'), { ...owner, ...source })).toBe('notShown');
    for (const card_id of ['k1', 'k2'])
      expect(payer({ card_id }, detail('C2'), { ...owner, ...source })).toBe('different');
  });

  test('only the single transaction distinguishes twins with the same name and card', () => {
    const twin = { source: { ...ana, customer_id: 'C2' } };
    expect(payer({ customer_id: 'C2' }, {}, twin)).toBe('equal');
    expect(payer({ customer_id: 'C2' }, detail('C1'), twin)).toBe('different');
  });

  test('a replaced card or a changed name leaves the payer open, and both together exclude the payer', () => {
    const named = { cardholder_first_name: 'Bo', cardholder_last_name: 'Lee' };
    expect(payer({ customer_id: 'C1' }, { card_number: 'xxxx9999' }, source)).toBe('notShown');
    expect(payer({ customer_id: 'C1' }, named, source)).toBe('notShown');
    expect(payer({ customer_id: 'C1' }, { card_number: 'xxxx9999', ...named }, source)).toBe('different');
  });

  test('the names in the request count too', () => {
    const by = (body: IDataObject) =>
      payer({ customer_id: 'C2', ...body }, {}, { source: { ...bo, primary_card_number: 'xxxx1111' } });
    expect(by({})).toBe('notShown');
    expect(by({ cardholder_name: 'Ana Silva' })).toBe('equal');
    expect(by({ customer: { customer_first_name: 'Ana', customer_last_name: 'Silva' } })).toBe('equal');
    expect(by({ customer: { customer_firm_name: 'ANA SILVA' } })).toBe('equal');
  });

  test("a customer's company and the holder of each card count as names", () => {
    const firm = { ...ana, customer_firm_name: 'Silva Bakery', billing_cards: [] };
    const shown = { cardholder_first_name: '', cardholder_last_name: 'SILVA  bakery' };
    expect(payer({ customer_id: 'C1' }, shown, { source: firm })).toBe('equal');
    const held = (more: IDataObject) => ({
      ...{ ...ana, customer_first_name: 'Eva', customer_last_name: 'Sousa', primary_card_number: '' },
      billing_cards: [{ card_id: 'k1', card_number: 'xxxx1111', ...more }],
    });
    const by = (more: IDataObject, of: object = {}) => payer({ customer_id: 'C1' }, of, { source: held(more) });
    expect(by({ billing_first_name: 'ana', billing_last_name: 'Silva ' })).toBe('equal');
    expect(by({ billing_firm_name: 'Silva Bakery' }, shown)).toBe('equal');
    expect(by({})).toBe('notShown');
    const card = { card_id: 'k1', card_number: 'xxxx1111', billing_first_name: 'Ana', billing_last_name: 'Silva' };
    const other = { ...ana, customer_first_name: 'Eva', billing_cards: [card] };
    expect(payer({ card_id: 'k1' }, {}, { node: { owner: 'C1' }, source: other })).toBe('equal');
    expect(payer({ card_id: 'k2' }, {}, { node: { owner: 'C1' }, source: other })).toBe('notShown');
  });
});

test('the customer of a request or the owner of its saved card is read', () => {
  const path = '/platform/vault/customer/C%201';
  const expected = { path, ids: { customer_id: 'C 1' }, identity: 'customer_id' };
  expect(payerOf({ path: {}, body: { customer_id: ' C 1 ' } })).toEqual(expected);
  expect(payerOf({ path: {}, body: { card_id: 'k1' }, node: { owner: 'C 1' } })).toEqual(expected);
});

test.each<[string, object]>([
  ['a typed card', { body: { card_number: '4111111111111111' } }],
  ['a bare card ID', { body: { card_id: 'k1' }, node: {} }],
])('no customer is read for %s', (_, values) => expect(payerOf({ path: {}, body: {}, ...values })).toBeUndefined());

test('the single transaction is read by its ID', () => {
  expect(WITH_DETAIL.name).toBe('detail');
  expect(WITH_DETAIL.path({ pg_id: 'p/1' })).toBe('/platform/reporting/transactions/bypgid/p%2F1');
});

describe('the holder of a card or an account', () => {
  const holder = (numbers: unknown[], names: unknown[], more: object = {}) =>
    likeHolder({ ...record, ...more }, { numbers, names });

  test.each<[unknown[], unknown[], string]>([
    [['xxxx1111'], ['Ana Silva'], 'equal'],
    [['xxxx1111'], [], 'equal'],
    [['xxxx1111'], [undefined, ''], 'equal'],
    [['xxxx1111'], ['Bo Lee'], 'notShown'],
    [['xxxx2222'], ['Ana Silva'], 'notShown'],
    [['xxxx2222'], [], 'notShown'],
    [['xxxx2222'], ['Bo Lee'], 'different'],
    [['xxxx2222'], ['Bo Lee', undefined, ' '], 'different'],
    [['xxxx1111'], ['Bo Lee', undefined], 'notShown'],
    [['xxxx2222', undefined], ['Bo Lee'], 'notShown'],
    [['xxxx2222', 'xxxx1111'], ['Bo Lee', ' ana  SILVA '], 'equal'],
    [[], ['Ana Silva'], 'notShown'],
    [[], ['Bo Lee'], 'notShown'],
  ])('numbers %j and names %j are %s', (numbers, names, expected) => expect(holder(numbers, names)).toBe(expected));

  test('a record without a name shows only its number', () => {
    const nameless = { cardholder_first_name: '', cardholder_last_name: undefined };
    expect(holder(['xxxx1111'], ['Ana Silva'], nameless)).toBe('equal');
    expect(holder(['xxxx2222'], ['Ana Silva'], nameless)).toBe('notShown');
  });

  test("a payee's account and both of its names are compared", () => {
    const payee = { payee_name: 'Silva Bakery', payee_account: { dda_number: 'x3541', accountholder_name: 'Ana' } };
    expect(payeeHolder(payee)).toEqual({ numbers: ['x3541'], names: ['Silva Bakery', 'Ana'] });
    expect(payeeHolder({})).toEqual({ numbers: [undefined], names: [undefined, undefined] });
  });
});

describe('the payee of a payout', () => {
  const shown = {
    ...{ pg_id: 'p', request_type: 'payment', tran_status: 'C', rcode: '000', amt_tran: 25, merch_ref_num: 'P-1' },
    ...{ card_number: 'xxxx3541', cardholder_first_name: 'Ana', cardholder_last_name: 'Silva' },
  };
  const paid = (of: object, more: object = {}) =>
    compared(
      payoutFootprint,
      { ...shown, ...more },
      { path: {}, body: { payee_id: '9', amt_tran: 25, merch_ref_num: 'P-1' }, ...of },
    );
  const read = (dda_number: string, payee_name = 'Ana Silva') => ({ node: { dda_number, payee_name } });

  test('the account and the name that the node read before it sent the payout are compared', () => {
    expect(paid(read('000123543541'))).toBe('equal');
    expect(paid(read('000123543541', ''))).toBe('equal');
    expect(paid(read('000123543542', 'Bo Lee'))).toBe('different');
    expect(paid({ node: { ...read('000123543541', 'Bo').node, accountholder_name: 'ana silva' } })).toBe('equal');
  });

  test('a payee who changed the account or the name may be the payee', () => {
    expect(paid(read('000123543542'))).toBe('notShown');
    expect(paid(read('000123543541', 'Bo Lee'))).toBe('notShown');
  });

  test('without the payee, the record proves nothing, and the payee is read', () => {
    expect([paid({}), paid({ node: {} })]).toEqual(['notShown', 'notShown']);
    const payee = { payee_name: 'Ana Silva', payee_account: { dda_number: 'xxxx3541' } };
    expect(paid({ source: payee })).toBe('equal');
    expect(paid({ source: { ...payee, payee_account: {} } })).toBe('notShown');
    expect(paid({ ...read('000123543542', 'Bo Lee'), source: payee })).toBe('equal');
    const listing = payoutFootprint.source?.({ path: {}, body: { payee_id: '9' } } as never);
    expect(listing).toEqual({ path: '/platform/vault/payee/9', ids: { payee_id: '9' }, identity: 'payee_id' });
  });
});

test('the type and the letter are compared without spaces, and the type without case', () => {
  expect([typeOf({ request_type: ' Sale ' }), typeOf({})]).toEqual(['sale', '']);
  expect([letterOf({ tran_status: ' v ' }), letterOf({})]).toEqual(['v', '']);
  expect(likeType({ request_type: 'AUTH' }, 'sale', 'auth')).toBe('equal');
  expect([likeType({ request_type: 'void' }, 'sale'), likeType({}, 'sale')]).toEqual(['different', 'notShown']);
});

test.each<[unknown, boolean]>([
  [undefined, false],
  [' ', false],
  ['000', false],
  [0, false],
  ['8', false],
  ['010', false],
  [' 998 ', false],
  [999, false],
  ['005', true],
  [5, true],
  ['402', true],
])('the code %j proves that no money moved: %s', (rcode, refused) =>
  expect(wasRefused({ rcode: rcode as string })).toBe(refused),
);

test('only sent references are compared', () => {
  const shown = { purchase_id: 'A1', merch_ref_num: 'R1' };
  expect(likeReferences(shown, { body: {} })).toEqual(['equal', 'equal']);
  expect(likeReferences(shown, { body: { purchase_id: 'A1', merch_ref_num: 'R2' } })).toEqual(['equal', 'different']);
  expect(likeReferences({}, { body: { purchase_id: 'A1', merch_ref_num: 'R2' } })).toEqual(['notShown', 'notShown']);
});

test.each([
  [{ tran_currency: '978' }, '978'],
  [{ tran_currency: '978', detail: [{ tran_currency: '840' }] }, '978'],
  [{ detail: [{ tran_currency: '978' }] }, '978'],
  [{ tran_currency: '', detail: [{}] }, undefined],
])('the single transaction shows the currency that the report lacks: %j', (record, expected) =>
  expect(shownCurrency(record)).toBe(expected),
);
