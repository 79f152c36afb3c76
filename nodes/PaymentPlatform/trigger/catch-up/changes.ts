import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { momentsOf, REPORT_ZONE } from '../../fields/kinds/date';
import { namesNothing } from '../../fields/value';
import type { Account } from '../../model/types';
import { asText } from '../../shared/objects';
import type { Handover } from '../receive';
import { accountKey } from '../state';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A change that a record shows, in the form of the event about it. */
export interface MissedChange {
  event: string;
  /** `data` of the event, or one record of it. */
  data: IDataObject;
  /** Time that the record shows. */
  at: unknown;
  notice?: string;
  /** Whether the service no longer has the record that would show the change. */
  isGone?: true;
}

/** A change that the service shows. */
export interface Found {
  place: number;
  change: MissedChange;
  identities: string[];
  /** Digest of the payments that may have caused the change. */
  checked: string[];
}

/**
 * Fields that a delivered event and a later record have in common. Each list of fields identifies the change
 * (service.md#events).
 */
const IDENTITIES: Partial<Record<string, ReadonlyArray<readonly string[]>>> = {
  account_updater_request_completed: [['request_id']],
  account_updater_request_created: [['request_id']],
  dispute_update: [['rec_id', 'status', 'date_status_change']],
  invoice_email_undeliverable: [['invoice_id', 'db_timestamp']],
  invoice_paid: [['invoice_id']],
  invoice_payment_failure: [['payment_id'], ['pg_id']],
  invoice_payment_success: [['payment_id'], ['pg_id']],
  subscription_complete: [['subscription_id']],
  subscription_payment_failure: [['pg_id']],
  subscription_payment_success: [['pg_id']],
  subscription_suspended: [['subscription_id', 'date_next']],
  transaction_status_updated: [['pg_id', 'tran_status']],
};

/** Fields with the time of a change for which the lists select, unless a list covers many days. */
const TIMES: Partial<Record<string, string>> = {
  dispute_update: 'date_status_change',
  invoice_email_undeliverable: 'db_timestamp',
  invoice_payment_failure: 'date_payment',
  invoice_payment_success: 'date_payment',
  subscription_payment_failure: 'tran_time',
  subscription_payment_success: 'tran_time',
};

/** Returns the time of a change. The lists and some deliveries contain it. */
export const changeTimeOf = (event: string, data: IDataObject): unknown => data[TIMES[event] ?? ''];

/** Returns the number of days after its time at which a change was missing or new, rounded up. */
export function daysLate(event: string, at: unknown, unknownAtMs: number): number {
  const [, last] = (event in TIMES && momentsOf(at, REPORT_ZONE)) || [];
  return last ? Math.ceil((unknownAtMs - last.toMillis()) / DAY_MS) : 0;
}

export const CAUGHT_EVENTS = Object.keys(IDENTITIES);
export const canCatchUp = (event: string): boolean => event in IDENTITIES;

const IDENTITY_LENGTH = 16;

/** Returns digests. Webhooks and catch-up compute the same digests for the same change. */
export function identitiesOf(event: string, data: IDataObject, account: string | undefined): string[] {
  return (IDENTITIES[event] ?? []).flatMap((names) => {
    const values = names.map((name) => comparable(name, data[name]));
    return values.includes('') ? [] : [digestOf(account, event, names, values)];
  });
}

export function digestOf(...parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, IDENTITY_LENGTH);
}

/** Deliveries and lists may format dates differently (service.md#values). Returns no zeros, which identify nothing. */
function comparable(name: string, value: unknown): string {
  const text = asText(value).trim();
  if (/^0*$/.test(text) || namesNothing(text)) return '';
  return name.startsWith('date_') ? text.slice(0, 10) : text;
}

/** IDs of a change for messages. */
export const nameChange = ({ event, data }: Pick<MissedChange, 'event' | 'data'>): string =>
  [event, ...(IDENTITIES[event] ?? []).flat().map((name) => asText(data[name]))]
    .filter((text) => text !== '')
    .join(' ');

/** Contains many transactions (service.md#events). */
export const LISTED = 'transaction_status_updated';

/** Groups the records of an event that contains a list. */
export function groupChanges(changes: MissedChange[]): Array<[MissedChange, ...MissedChange[]]> {
  const [first, ...others] = changes.filter(({ event }) => event === LISTED);
  const single = changes.filter(({ event }) => event !== LISTED).map((change): [MissedChange] => [change]);
  return first ? [[first, ...others], ...single] : single;
}

/**
 * Maximum number of days between the time of a record and the event: until a transaction's last change of status, and
 * between a request and its response, with reserve (service.md#account-updater).
 */
const CHANGE_DAYS: Partial<Record<string, number>> = {
  account_updater_request_completed: 30,
  account_updater_request_created: 30,
  [LISTED]: 7,
};

export const changeDays = (event: string): number => CHANGE_DAYS[event] ?? 0;

/** Returns the handover of an event that contains the changes. */
export function handoverOf(changes: [MissedChange, ...MissedChange[]], handover: Handover, account: Account): Handover {
  const { receivedBy, receivedAt, notices } = handover;
  const [{ event, data, at }] = changes;
  const key = accountKey(account);
  return {
    source: 'catch_up',
    id: identitiesOf(event, data, key)[0],
    receivedBy,
    receivedAt,
    payload: {
      event,
      is_test: account.environment === 'test',
      ...(changes.length === 1 && at !== undefined && { db_timestamp: asText(at) }),
      data: event === LISTED ? { transactions: changes.map((change) => change.data) } : data,
    },
    environment: account.environment,
    account: key,
    notices: [...new Set([...notices, ...changes.flatMap(({ notice }) => notice ?? [])])],
  };
}
