import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { itemsOf } from '../../host/rest';
import { asText } from '../../nodes/PaymentPlatform/shared/objects';
import type { SandboxControl } from '../../sandbox/control/control';
import { SERVICE_ZONE } from '../../sandbox/core/clock';
import type { Host } from './host';
import { TRIGGER } from './trigger-bench';
import { inLine, node, own } from './workflows';

type Send = (method: 'post' | 'put' | 'get', path: string, body?: object) => Promise<IDataObject>;

const sendTo =
  ({ sandbox }: Host): Send =>
  async (method, path, data) => {
    const headers = { authorization: `Basic ${sandbox.credentials.test.token}` };
    const answer = await axios.request<{ data: IDataObject }>({
      method,
      url: `${sandbox.baseUrl}${path}`,
      headers,
      data,
      proxy: false,
    });
    return answer.data.data;
  };

/** Number of events of each kind that the service sends during the outage. */
export const EXPECTED = {
  account_updater_request_completed: 20,
  account_updater_request_created: 20,
  dispute_update: 20,
  invoice_email_undeliverable: 20,
  invoice_paid: 100,
  invoice_payment_success: 100,
  subscription_complete: 20,
  subscription_payment_failure: 20,
  subscription_payment_success: 60,
  subscription_suspended: 20,
  transaction_status_updated: 80,
};

/** Events that the service sends about records that no list contains. */
export const MISSED = { checkout_payment_success: 10, qp_manager_refund_success: 10 };

/** Hour in Pacific time. An outage around it includes no batch close and no deposits. */
const QUIET_HOUR = 12;

/** Submits the account updater requests that complete during the outage. */
export async function prepareOutage(host: Host): Promise<void> {
  const send = sendTo(host);
  const now = DateTime.fromISO(host.sandbox.control.now()).setZone(SERVICE_ZONE);
  const today = now.startOf('day').set({ hour: QUIET_HOUR });
  const next = today < now ? today.plus({ days: 1 }) : today;
  await host.sandbox.control.advanceClock({ milliseconds: next.diff(now).toMillis() });
  const card = { card_number: '4111111111111111', exp_date: '1230', card_id: 'crm-1' };
  for (let count = 0; count < EXPECTED.account_updater_request_completed; count += 1)
    await send('post', '/platform/aus/add', { data: [card] });
  await host.sandbox.control.advanceClock({ days: 3, hours: 23 });
}

/** Makes the changes of the outage, and moves the clock by two hours, so that the service gives up. */
export async function playOutage(host: Host): Promise<void> {
  const send = sendTo(host);
  const { control } = host.sandbox;
  control.setDeliverySettings({ mostFailedEvents: 100_000 });
  await invoices(send, control, 70);
  await subscriptions(send, control);
  for (let count = 0; count < EXPECTED.dispute_update; count += 1)
    await send('get', `/platform/dispute/${host.sandbox.credentials.test.merchantId}/create?reasonCode=10.4`);
  const card = { card_number: '4111111111111111', exp_date: '1230', card_id: 'crm-2' };
  for (let count = 0; count < EXPECTED.account_updater_request_created; count += 1)
    await send('post', '/platform/aus/add', { data: [card] });
  control.addCapturedSales({ count: EXPECTED.transaction_status_updated, amountCents: 500 });
  control.closeBatch();
  for (let count = 0; count < 10; count += 1)
    for (const event of Object.keys(MISSED)) control.fireEvent({ event, data: { pg_id: `lost-${count}` } });
  await control.advanceClock({ hours: 2 });
  // The service still repeats the events of the second part when n8n starts.
  await invoices(send, control, 30);
}

async function invoices(send: Send, control: SandboxControl, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const invoice = {
      customer_id: 'OUTAGE',
      save_customer: true,
      invoice_number: `INV-${number}`,
      billing_contact: { first_name: 'Ada', last_name: 'Abbott', email_address: 'ada@example.com' },
      line_items: [{ quantity: 1, description: 'Hour', unit_cost: 20 }],
    };
    const { invoice_id } = await send('post', '/platform/invoice', invoice);
    const email_address = [number % 5 === 0 ? 'undeliverable@example.com' : 'ada@example.com'];
    await send('post', `/platform/invoice/${asText(invoice_id)}/send`, { email_address });
    const payment = { type: 'CHECK', amt_paid: 20, date_payment: control.now() };
    await send('post', `/platform/invoice/${asText(invoice_id)}/payments`, payment);
  }
}

async function subscriptions(send: Send, control: SandboxControl): Promise<void> {
  const kinds = [{}, {}, { plan_duration: 1 }, { amt_tran: 0.14 }];
  for (let number = 0; number < 80; number += 1) {
    const [customer_id] = control.addCustomers(1);
    const terms = { plan_frequency: 3, plan_duration: -1, date_start: control.now(), amt_tran: 12 };
    await send('post', '/platform/subscription', { customer_id, ...terms, ...kinds[number % kinds.length] });
  }
}

/** Saves and activates a workflow that receives all events. */
export async function watchAllEvents(host: Host, parameters: object = {}): Promise<string> {
  const trigger = own(
    host,
    TRIGGER,
    { events: ['*'], options: { split: true }, ...parameters },
    { type: `${host.n8n.typePrefix}paymentPlatformTrigger`, webhookId: 'outage' },
  );
  const id = await host.rest.saveWorkflow({
    name: 'All events',
    nodes: [trigger, node('Done', 'n8n-nodes-base.noOp')],
    connections: inLine(TRIGGER, 'Done'),
    settings: { executionOrder: 'v1' },
  });
  await host.rest.activate(id);
  return id;
}

/** Returns the items of all executions, as soon as their number stays the same. */
export async function itemsAfter(host: Host, workflowId: string, quietMs: number): Promise<IDataObject[]> {
  const items = new Map<string, IDataObject[]>();
  for (let last = Date.now(); Date.now() < last + quietMs; await sleep(1_000))
    for (const { id, status } of await host.rest.executions.list(workflowId)) {
      if (items.has(id) || status === 'running' || status === 'new') continue;
      items.set(id, itemsOf(await host.rest.executions.get(id), TRIGGER));
      last = Date.now();
    }
  return [...items.values()].flat();
}

export const countBy = (values: string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
};

/** Identifies the change of an item. */
export function changeOf({ event, entry, payload }: IDataObject): string {
  const data = (entry ?? (payload as IDataObject).data) as IDataObject;
  const names = [
    'pg_id',
    'tran_status',
    'payment_id',
    'invoice_id',
    'subscription_id',
    'request_id',
    'rec_id',
    'status',
  ];
  return [event, ...names.map((name) => data[name])].map(asText).filter(Boolean).join(' ');
}
