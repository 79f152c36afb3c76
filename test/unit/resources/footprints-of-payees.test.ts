import type { IDataObject } from 'n8n-workflow';

import { accountFootprint, payeeFootprint } from '../../../nodes/PaymentPlatform/resources/payee/footprint';
import {
  nameOf,
  paidOut,
  dayPayouts,
  payoutFootprint,
} from '../../../nodes/PaymentPlatform/resources/transaction/payout-footprint';
import { agreesWith, compared, named, UNKNOWN_LETTERS } from './footprint-cases';

describe('a payout', () => {
  // The node reads the payee before it sends the payout.
  const read = { dda_number: '000123543541', payee_name: 'Silva Bakery' };
  const values = { ...named({ payee_id: '9', amt_tran: 25, merch_ref_num: 'P-1' }), node: read };
  const record: IDataObject = {
    ...{ pg_id: 'p', request_type: 'payment', tran_status: 'C', rcode: '000', amt_tran: '25.00' },
    ...{ merch_ref_num: 'P-1', card_number: 'xxxxxx3541', cardholder_first_name: 'Silva Bakery' },
  };
  agreesWith(
    payoutFootprint,
    values,
    record,
    [
      ['with a minus', { amt_tran: -25 }],
      ['settled', { tran_status: 'S' }],
      ['of a type that the reference does not name', { request_type: 'payout' }],
      ['of no type', { request_type: '' }],
      ['with spaces around its code and letter', { rcode: ' 000 ', tran_status: ' S ' }],
    ],
    [
      ['of another reference', { merch_ref_num: 'P-2' }],
      ['of another amount', { amt_tran: 25.01 }],
      ['of another payee', { card_number: 'xxxxxx3542', cardholder_first_name: 'Bo', cardholder_last_name: 'Lee' }],
      ...['Sale', 'auth', 'force', 'recharge', 'capture', 'void', 'refund', 'credit', 'verify'].map(
        (request_type): [string, IDataObject] => [`that is a ${request_type}`, { request_type }],
      ),
      ['that was declined', { rcode: '005' }],
      ...['D', 'F', 'R', 'K', 'V', 'v'].map((tran_status): [string, IDataObject] => [
        `with ${tran_status}`,
        { tran_status },
      ]),
    ],
    [
      ['of no reference', { merch_ref_num: '' }],
      ['with an unreadable amount', { amt_tran: 'x' }],
      ['to another account', { card_number: 'xxxxxx3542' }],
      ['to another name', { cardholder_first_name: 'Bo' }],
      ['to no account', { card_number: undefined }],
      ['whose outcome is open', { rcode: '998' }],
      ['without a code', { rcode: undefined }],
      ['that is held', { tran_status: 'H' }],
      ['that is held, with a space', { tran_status: 'H ' }],
      ...UNKNOWN_LETTERS,
    ],
  );

  test('a payout counts toward the limit per day unless it moved nothing', () => {
    const counts = (more: IDataObject) => dayPayouts.counts({ ...record, ...more });
    expect([{}, { rcode: '998' }, { tran_status: 'H' }].map(counts)).toEqual([true, true, true]);
    const others = [{ request_type: 'sale' }, { rcode: '005' }, { tran_status: 'D' }, { tran_status: 'V' }];
    expect(others.map(counts)).toEqual(others.map(() => false));
    expect([{ tran_status: ' D ' }].map(counts)).toEqual([false]);
    expect(['-25.00', 'x'].map((amt_tran) => dayPayouts.amount({ amt_tran }))).toEqual([25, undefined]);
    expect(dayPayouts).toMatchObject({
      list: {
        path: '/platform/reporting/transaction-requests',
        identity: 'rec_id',
        day: ['tran_time', 'tran_date'],
      },
      id: 'pg_id',
      of: 'payouts',
      where: 'the transaction report',
    });
    expect(payoutFootprint).toMatchObject({ isCheckedInTools: true });
    expect(payoutFootprint.time?.({ tran_time: '2026-06-15T12:00:00.000Z' })?.toMillis()).toBe(
      Date.parse('2026-06-15T12:00:00Z'),
    );
  });

  test('the summary of a payout names the amount, the payee and the last digits of the account', () => {
    const unknown = {};
    expect(paidOut(25, 'Silva Bakery', 'xxxx3541', unknown)).toBe(
      'Paid out 25.00 to Silva Bakery, account ending in 3541.',
    );
    expect(paidOut(25, 'Silva Bakery', 'xxxxxxx1', unknown)).toBe('Paid out 25.00 to Silva Bakery.');
    expect(paidOut(25, 'x'.repeat(28), '', unknown)).toBe(`Paid out 25.00 to ${'x'.repeat(28)}.`);
    expect(paidOut(25, 'x'.repeat(29), '', unknown)).toBe(`Paid out 25.00 to ${'x'.repeat(25)}....`);
    expect(nameOf('', undefined)).toBe('payee');
    expect(paidOut(9999999999.99, 'x'.repeat(64), 'xxxx3541', { tran_currency: '840' }).length).toBeLessThanOrEqual(90);
    const found = (node?: IDataObject) =>
      payoutFootprint.summary?.({ card_number: 'xxxx3541', tran_currency: '840' }, { ...values, node } as never);
    expect(found()).toBe('Paid out 25.00 USD to payee 9, account ending in 3541.');
    expect(found(read)).toBe('Paid out 25.00 USD to Silva Bakery, account ending in 3541.');
  });
});

describe('a new payee', () => {
  const account = (more: IDataObject) => ({ payee_account: { tr_number: 'xxxxxxxxx', dda_number: 'xx3541', ...more } });
  const record = { payee_id: '9', payee_name: 'Silva Bakery', payee_email: ['b@example.com', 'Ana@example.com'] };
  const body = { payee_name: 'Silva Bakery ', payee_email: ['ana@example.com', 'b@example.com'] };

  describe('a new payee with a bank account', () => {
    agreesWith(
      payeeFootprint,
      named({ ...body, payee_account: [{ tr_number: '021000021', dda_number: '000123543541' }] }),
      { ...record, ...account({}) },
      [
        ['with its whole number', account({ dda_number: '000123543541' })],
        ['with its routing number', account({ tr_number: '021000021' })],
        ['with one more value', { payee_phone: '15035550177' }],
      ],
      [
        ['with another name', { payee_name: 'Silva' }],
        ['with other last digits', account({ dda_number: 'xx3542' })],
        ['with another routing number', account({ tr_number: '021000022' })],
        ['with fewer email addresses', { payee_email: ['ana@example.com'] }],
        ['with one email address as text', { payee_email: 'ana@example.com' }],
        ['with other email addresses', { payee_email: ['ana@example.com', 'c@example.com'] }],
      ],
      [
        ['with a number that shows nothing', account({ dda_number: 'xxxxxx' })],
        ['with a shorter whole number', account({ dda_number: '543541' })],
        ['without an account', { payee_account: undefined }],
        ['without an email address', { payee_email: undefined }],
      ],
    );
  });

  describe('a new payee without a bank account', () => {
    agreesWith(
      payeeFootprint,
      named({ payee_name: 'Silva Bakery' }),
      record,
      [
        ['with other email addresses', { payee_email: ['c@example.com'] }],
        ['with an account without a number', account({ dda_number: ' ' })],
      ],
      [['with another name', { payee_name: 'silva bakery 2' }]],
      [['with an account, which a user may have added later', account({})]],
    );
  });

  test('a new payee has the name of an existing payee, unless the accounts differ', () => {
    const sent = [{ tr_number: '021000021', dda_number: '000123543541' }];
    const uses = (more: IDataObject, payee_account?: IDataObject[]) =>
      payeeFootprint.occupies?.({ ...record, ...more }, named({ ...body, ...(payee_account && { payee_account }) }));
    expect([uses({}), uses(account({}))]).toEqual([true, true]);
    expect([uses({}, sent), uses(account({}), sent), uses({ payee_email: ['x@example.com'] }, sent)]).toEqual([
      true,
      true,
      true,
    ]);
    expect([uses(account({ dda_number: 'xx3542' }), sent), uses({ payee_name: 'Silva' })]).toEqual([false, false]);
  });
});

describe("a payee's bank account", () => {
  const account = (more: IDataObject) => ({
    payee_account: {
      tr_number: '021000021',
      dda_number: 'xxxxxx3541',
      type_id: 'C',
      accountholder_name: 'Ana',
      ...more,
    },
  });
  agreesWith(
    accountFootprint,
    named({ tr_number: '021000021', dda_number: '000123543541', accountholder_name: 'Ana' }, { payee_id: '9' }),
    { payee_id: '9', ...account({}) },
    [
      ['with its whole number', account({ dda_number: '000123543541' })],
      ['without its routing number', account({ tr_number: 'xxxxxxxxx' })],
      ['of a kind that was not given', account({ type_id: 'S' })],
    ],
    [
      ['of another payee', { payee_id: '8' }],
      ['with other last digits', account({ dda_number: 'xxxxxx3542' })],
      ['with another routing number', account({ tr_number: '021000022' })],
      ['of another holder', account({ accountholder_name: 'Ben' })],
    ],
    [
      ['of no payee', { payee_id: '' }],
      ['with a shorter whole number', account({ dda_number: '543541' })],
      ['that shows less than four digits', account({ dda_number: 'xxxxxxx541' })],
      ['that shows nothing', account({ dda_number: 'xxxxxxxxxx' })],
      ['without a number', account({ dda_number: undefined })],
      ['of no holder', account({ accountholder_name: '' })],
      ['none', { payee_account: undefined }],
    ],
  );

  test('a bank account has the sent kind', () => {
    const sent = { tr_number: '021000021', dda_number: '000123543541', type_id: 'S' };
    const by = (type_id: string) =>
      compared(accountFootprint, { payee_id: '9', ...account({ type_id }) }, named(sent, { payee_id: '9' }));
    expect(['S', 'C', ''].map(by)).toEqual(['equal', 'different', 'notShown']);
  });

  test('a bank account counts from the time of its verification, which has an offset', () => {
    const time = (verified_date: string) =>
      accountFootprint.time?.({ payee_account: { verified_date } })?.toUTC().toISO();
    expect(time('2030-03-01T09:00:00.000-0700')).toBe('2030-03-01T16:00:00.000Z');
    expect(time('2030-03-01 09:00:00')).toBeUndefined();
  });
});

test('uses the payee and the last digits of the bank account as the key of a write without showing its number', () => {
  const account = (dda_number: string) => accountFootprint.key(named({ dda_number }, { payee_id: '9' }));
  expect(account('000123543541')).toBe('9 3541');
  expect(account('999993541')).toBe(account('000123543541'));
});
