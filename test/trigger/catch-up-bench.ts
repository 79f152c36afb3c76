import { DateTime } from 'luxon';
import { sleep, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { asText } from '../../nodes/PaymentPlatform/shared/objects';
import { clientFor, type Envelope, INVOICE_BODY } from '../sandbox/client';
import { openTriggerBench, type TriggerBench, webhookIdOf } from './bench';
import { type HostOptions, TriggerHost } from './host';

/** Time from an activation to the end of catch-up. */
const CAUGHT_UP_MS = 60_000;

export let bench: TriggerBench;

afterEach(async () => await bench.close());

export const control = () => bench.sandbox.control;
export const request = async (method: 'post' | 'put' | 'get', path: string, body?: object) => {
  const http = clientFor(bench.sandbox.baseUrl, `Basic ${bench.sandbox.credentials.test.token}`);
  const { data } = await http.request<Envelope>({ method, url: path, ...(body && { data: body }) });
  expect(data.code ?? 0).toBe(0);
  return data.data as IDataObject;
};

export async function open(parameters: INodeParameters = {}, options: HostOptions = {}): Promise<void> {
  bench = await openTriggerBench({ events: ['*'], catchUp: 'onActivation', ...parameters }, options);
  await sleep(CAUGHT_UP_MS);
}

/** Starts another n8n process with its own worker. It has the same workflow and database. */
export async function openProcess(options: HostOptions = { workers: true }): Promise<TriggerHost> {
  const { id, database, address, credential, parameters } = bench.host;
  const shared = { ...options, workflowId: id, database, publicOrigin: address };
  const process = await TriggerHost.open(credential, parameters, shared);
  await process.restart();
  return process;
}

/** Waits until all executions have ended, and returns the items of the executions since the last call. */
export async function emitted(): Promise<IDataObject[]> {
  await control().settleDeliveries();
  await sleep(CAUGHT_UP_MS);
  await bench.host.idle();
  return bench.host.executions.splice(0).flatMap((items) => items.map(({ json }) => json));
}

export const namesOf = (items: IDataObject[]) => items.map(({ event }) => asText(event)).sort();

/** A person disables the webhook, so that the service creates no deliveries. */
export const switchOff = async () => void (await request('put', `/platform/webhook/${webhookIdOf(bench)}/disable`));

/** Starts the trigger function again, as n8n does when it starts. */
export async function catchUp(): Promise<IDataObject[]> {
  await bench.host.startTrigger();
  return await emitted();
}

/** Pays an invoice. The payment's date is so many days ago. */
export async function payInvoice({ days = 0 } = {}): Promise<number> {
  const { invoice_id } = await request('post', '/platform/invoice', INVOICE_BODY);
  await request('post', `/platform/invoice/${asText(invoice_id)}/send`, { email_address: ['ada@example.com'] });
  const date_payment = DateTime.fromISO(control().now(), { zone: 'utc' }).minus({ days }).toISO();
  const payment = { type: 'CHECK', amt_paid: 100, date_payment };
  await request('post', `/platform/invoice/${asText(invoice_id)}/payments`, payment);
  return Number(invoice_id);
}

/** Sends an invoice to an address that does not exist. */
export async function bounce(): Promise<void> {
  const { invoice_id } = await request('post', '/platform/invoice', INVOICE_BODY);
  const email_address = ['undeliverable@example.com'];
  await request('post', `/platform/invoice/${asText(invoice_id)}/send`, { email_address });
}

export async function subscribe(fields: object): Promise<void> {
  const [customer_id] = control().addCustomers(1);
  const terms = { plan_frequency: 0, plan_duration: -1, date_start: control().now(), amt_tran: 12, ...fields };
  await request('post', '/platform/subscription', { customer_id, ...terms });
  await control().advanceClock({ days: 1 });
}

/** Opens the bench with a webhook that a person disabled. */
export async function openSwitchedOff(parameters: INodeParameters = {}, options: HostOptions = {}): Promise<void> {
  await open({ events: ['invoice_paid'], ...parameters }, options);
  await switchOff();
}
