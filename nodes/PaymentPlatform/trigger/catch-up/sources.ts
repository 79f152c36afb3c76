import type { IDataObject } from 'n8n-workflow';

import { asText, only } from '../../shared/objects';
import { changeDays, LISTED, type MissedChange } from './changes';

export interface SourceList {
  path: string;
  /** Missing if records can share an ID. */
  identity?: string;
  /** Field with the time of a record. */
  by: string;
  /** Maximum time between this time and a change of the record. */
  days?: number;
}

export type Load = () => Promise<MissedChange | undefined>;

/** Reads the service. Each method throws if the service returns a failure, an incomplete list or another record. */
export interface ChangeSource {
  wants: (event: string) => boolean;
  list: (list: SourceList) => Promise<IDataObject[]>;
  /** Returns `undefined` if the service no longer has the record. */
  record: (path: string, name: string, id: string) => Promise<IDataObject | undefined>;
  /**
   * Reports a change unless the trigger has already emitted it.
   * @param load returns the change, or `undefined` if the record doesn't show it.
   * @param at earliest time of the change.
   * @param payments payments that may have caused the change. If they didn't, the node doesn't load the change again.
   */
  offer: (
    event: string,
    known: IDataObject | (() => Promise<IDataObject>),
    load: Load,
    at: unknown,
    payments?: IDataObject[],
  ) => Promise<void>;
}

const NEWEST_ONLY = 'The record shows only its newest status. Earlier changes since the last catch-up are missing.';
const NO_SUBSCRIPTION = 'The service no longer has the record of this subscription.';
const CURRENT = 'This event contains the current data of the record, not the data at the time of the event.';

const IN_PATH = /^[\w-]{1,64}$/;

/** Statuses that a transaction can reach only after its request (service.md#letters). */
const LATER_STATUSES = ['K', 'N', 'P', 'R', 'S', 'v'];

async function readTransactions(source: ChangeSource): Promise<void> {
  const [event, by] = [LISTED, 'tran_time'];
  if (!source.wants(event)) return;
  const path = '/platform/reporting/transaction-requests';
  const records = await source.list({ path, identity: 'pg_id', by, days: changeDays(event) });
  await offerAll(
    source,
    records
      .filter(({ tran_status }) => LATER_STATUSES.includes(asText(tran_status)))
      .map((record) => {
        const data = only(record, ['pg_id', 'purchase_id', 'amt_tran', 'tran_currency', 'tran_status']);
        return { event, data, at: record[by], notice: NEWEST_ONLY };
      }),
  );
}

async function offerAll(source: ChangeSource, changes: MissedChange[]): Promise<void> {
  await Promise.all(
    changes.map(
      async (change) =>
        await source.offer(change.event, change.data, async () => await Promise.resolve(change), change.at),
    ),
  );
}

const FAILED = ['D', 'F', 'U'];

async function readInvoices(source: ChangeSource): Promise<void> {
  const events = ['invoice_paid', 'invoice_payment_failure', 'invoice_payment_success'];
  if (!events.some(source.wants)) return;
  const payments = await source.list({
    path: '/platform/invoice/payments',
    identity: 'payment_id',
    by: 'date_payment',
  });
  const eventOf = ({ tran_status }: IDataObject) =>
    FAILED.includes(asText(tran_status)) ? 'invoice_payment_failure' : 'invoice_payment_success';
  await offerAll(
    source,
    payments.map((data) => ({ event: eventOf(data), data, at: data.date_payment })),
  );
  const offerPaid = async ([invoiceId, all, payment]: PaymentsOf) => {
    const [event, { date_payment: at }] = ['invoice_paid', payment];
    const load: Load = async () => {
      const data = await source.record(`/platform/invoice/${invoiceId}/detail`, 'invoice_id', invoiceId);
      if (!data) return { event, data: payment, at, isGone: true };
      return data.status === 'PAID' ? { event, data, at, notice: CURRENT } : undefined;
    };
    await source.offer(event, payment, load, at, all);
  };
  await Promise.all(paymentsBy(payments, 'invoice_id').map(offerPaid));
}

async function readBounces(source: ChangeSource): Promise<void> {
  const [event, by] = ['invoice_email_undeliverable', 'db_timestamp'];
  if (!source.wants(event)) return;
  const bounces = await source.list({ path: '/platform/invoice/bounced', by });
  await offerAll(
    source,
    bounces.map((data) => ({ event, data, at: data[by] })),
  );
}

const DECLINED = ['D', 'F'];

async function readSubscriptions(source: ChangeSource): Promise<void> {
  const [success, failure] = ['subscription_payment_success', 'subscription_payment_failure'];
  const [complete, suspended] = ['subscription_complete', 'subscription_suspended'];
  if (![success, failure, complete, suspended].some(source.wants)) return;
  const path = '/platform/subscription/transactions';
  const payments = await source.list({ path, identity: 'pg_id', by: 'tran_time' });
  const records = new Map<string, Promise<IDataObject | undefined>>();
  const recordOf = async ({ subscription_id }: IDataObject) => {
    const id = asText(subscription_id);
    if (!IN_PATH.test(id)) return undefined;
    const record = records.get(id) ?? source.record(`/platform/subscription/${id}`, 'subscription_id', id);
    records.set(id, record);
    return await record;
  };
  const isDeclined = ({ tran_status }: IDataObject) => DECLINED.includes(asText(tran_status));
  const offerPayment = async (payment: IDataObject) => {
    const event = isDeclined(payment) ? failure : success;
    const { amt_tran, tran_time: at } = payment;
    const load: Load = async () => {
      const record = await recordOf(payment);
      // The service sends no event about a one-time fee.
      if (record && amt_tran === record.amt_setup && amt_tran !== record.recur_amt) return undefined;
      const own = only(payment, ['subscription_id', 'pg_id', 'rcode', 'auth_code', 'amt_tran']);
      return { event, data: { ...record, ...own }, at, notice: record ? CURRENT : NO_SUBSCRIPTION };
    };
    await source.offer(event, payment, load, at);
  };
  const offerStatus = async ([, all, payment]: PaymentsOf) => {
    const { tran_time: at } = payment;
    const offer = async (event: string, status: string, known: IDataObject | (() => Promise<IDataObject>)) => {
      const load: Load = async () => {
        const data = await recordOf(payment);
        if (!data) return { event, data: payment, at, isGone: true };
        return data.status === status ? { event, data, at, notice: CURRENT } : undefined;
      };
      await source.offer(event, known, load, at, all);
    };
    if (!isDeclined(payment)) await offer(complete, 'D', payment);
    // The time of the next payment is part of the identity. Without the record, the time of this payment replaces it.
    else await offer(suspended, 'S', async () => (await recordOf(payment)) ?? { ...payment, date_next: at });
  };
  await Promise.all(payments.map(offerPayment));
  await Promise.all(paymentsBy(payments, 'subscription_id').map(offerStatus));
}

async function readUpdaterRequests(source: ChangeSource): Promise<void> {
  const [created, completed] = ['account_updater_request_created', 'account_updater_request_completed'];
  if (!source.wants(created) && !source.wants(completed)) return;
  const list = { path: '/platform/aus/request/summary', identity: 'request_id', by: 'request_date' };
  const requests = await source.list({ ...list, days: changeDays(created) });
  const isCompleted = ({ data }: MissedChange) => data.status === 'COMPLETED';
  const changes: MissedChange[] = requests.map((data) => ({ event: created, data, at: data.request_date }));
  await offerAll(source, [
    ...changes.map((change) => ({ ...change, notice: CURRENT })),
    ...changes.filter(isCompleted).map((change) => ({ ...change, event: completed })),
  ]);
}

async function readDisputes(source: ChangeSource): Promise<void> {
  const [event, by] = ['dispute_update', 'date_status_change'];
  if (!source.wants(event)) return;
  const disputes = await source.list({ path: '/platform/dispute/browse', identity: 'rec_id', by });
  await offerAll(
    source,
    disputes.map((data) => ({ event, data, at: data[by], notice: NEWEST_ONLY })),
  );
}

/** ID, payments and newest payment of an invoice or subscription. */
type PaymentsOf = [id: string, all: IDataObject[], newest: IDataObject];

/** The list is sorted by time, so the last record of each ID is its newest. */
function paymentsBy(records: IDataObject[], name: string): PaymentsOf[] {
  const byId = new Map<string, PaymentsOf>();
  for (const record of records) {
    const id = asText(record[name]);
    const all = byId.get(id)?.[1] ?? [];
    all.push(record);
    if (IN_PATH.test(id)) byId.set(id, [id, all, record]);
  }
  return [...byId.values()];
}

export const CHANGE_SOURCES = [
  readTransactions,
  readInvoices,
  readBounces,
  readSubscriptions,
  readUpdaterRequests,
  readDisputes,
] as const;
