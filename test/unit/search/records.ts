import type { IDataObject } from 'n8n-workflow';

import { NOT_SHOWN } from '../../../nodes/PaymentPlatform/fields/searches';

/** Current time in the tests of list searches. */
export const NOW = '2026-11-20T15:00:00.000Z';

let count = 0;

/** Creates a sale as the transaction report lists it, by default with a sent deposit. */
export function sale(amount: number, given: IDataObject & { name?: string; time?: string; card?: string } = {}) {
  count += 1;
  const { name = 'Max Muster', time = '2026-10-05T16:00:00.000Z', card = '1111', ...more } = given;
  const [first, ...rest] = name.split(' ');
  return {
    rec_id: 6000 + count,
    pg_id: `2000000000000000${String(count).padStart(4, '0')}`,
    request_type: 'sale',
    tran_status: 'P',
    tran_time: time,
    amt_tran: amount,
    amt_refunded: 0,
    tran_currency: '840',
    cardholder_first_name: first,
    cardholder_last_name: rest.join(' '),
    card_type: 'VS',
    card_number: `411111xxxxxx${card}`,
    purchase_id: '',
    dispute_flag: false,
    ...more,
  };
}

/** Returns whether a row of a list is a record, and not a remark. */
export const isRecord = (value: unknown): boolean => typeof value === 'string' && value !== NOT_SHOWN;
