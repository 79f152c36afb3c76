import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { PANEL_GUARDS } from '../../nodes/PaymentPlatform/limits/tool-guards';
import { alikeFields, alikeParameters, cardParameter } from './alike';
import { isOffInTools, moneyFacts } from './money';
import type { Item, ObjectName, Schedule } from './schedule';
import { expirationOf, NO_EXPIRATION } from './updater';

export const INVOICE_NUMBER = 'INV-1';
/** Amount in cents that makes the node refuse a card's row. */
export const REFUSED_CENTS = 150_000;

/** Changes that a user has made since the workflow was first saved. */
export interface Edits {
  amounts: Record<number, number>;
  field: boolean;
  parallel?: number;
  resend: boolean;
  limitPerItem?: number;
  resolve: Array<{ code: string; finding: 'applied' | 'notApplied' }>;
  /** Indexes of the remaining input items, in their new order. */
  order?: number[];
  /** Number of items per loop iteration. */
  batch?: number;
}

export const noEdits = (): Edits => ({ amounts: {}, field: false, resend: false, resolve: [] });

/** Returns the node's input rows, each with the IDs of a sale, customer or payee. */
export function rowsOf(
  items: Item[],
  schedule: Schedule,
  nameOf: (item: Item) => ObjectName | undefined,
): IDataObject[] {
  return items.map((item, number) => ({
    ...(schedule.numbered && { number }),
    ...nameFields(nameOf(item)),
    ...alikeFields(schedule, item, nameOf(item)),
    amount: item.cents / 100,
    ...(schedule.operation === 'updater' && { expires: expirationOf(item.cents) }),
    limit: item.limit,
    test: item.test,
  })) as IDataObject[];
}

export const nameFields = (name: ObjectName | undefined): IDataObject => ({
  sale: name?.pgId,
  saleOrder: name?.order,
  customer: name?.customer,
  invoice: name === undefined ? undefined : String(name.invoice),
});

/** Returns the node's parameters, whose expressions read the row or the model's arguments. */
export function parametersOf(schedule: Schedule, edits: Edits, objects: ObjectName[]): INodeParameters {
  const tool = schedule.caller !== 'items';
  const from = (name: string, kind: string) =>
    tool ? `={{ $fromAI('${name}', '', '${kind}') }}` : `={{ $json.${name} }}`;
  const amount = tool ? from('amount', 'number') : edited('amount', schedule, edits, (cents) => cents / 100);
  const changing = schedule.options.changing ? '={{ "T" + $now.toMillis() }}' : undefined;
  const customer_id = { __rl: true, mode: 'id', value: from('customer', 'string') };
  const byOrder = { __rl: true, mode: 'reference', value: from('saleOrder', 'string') };
  const memo = tool ? from('memo', 'string') : 'Service';
  const { options, guards } = placed({ ...optionsOf(schedule, edits), ...allowedIds(schedule, objects) }, tool);
  const money = moneyFacts(schedule.operation);
  switch (schedule.operation) {
    default:
      return {
        resource: 'transaction',
        operation: schedule.operation,
        ...(money?.on === 'sale' && { pg_id: schedule.options.byReference ? byOrder : from('sale', 'string') }),
        ...(money?.on === 'customer' && { customer_id, ...cardParameter(schedule) }),
        ...(money?.on === 'payee' && { payee_id: customer_id }),
        ...(money && { [money.amount]: amount, ...money.more }),
        ...(tool && isOffInTools(schedule.operation) && { allowAgent: true }),
        additionalFields: {
          ...alikeParameters(schedule),
          ...(changing !== undefined && { session_id: changing }),
          ...(tool && { report_data: { given: { report_data: { item: [{ name: 'note', value: memo }] } } } }),
          // Two tool calls that differ only in this parameter request the same payment.
          ...(tool ? { loc_id: from('place', 'string') } : edits.field && { loc_id: '0001' }),
          ...(tool && edits.field && { profile_id: '12345' }),
        },
        ...guards,
        options,
      };
    case 'invoice':
      return {
        resource: 'invoice',
        operation: 'create',
        customer_id,
        invoice_number: changing ?? INVOICE_NUMBER,
        line_items: { item: [{ quantity: 1, description: memo, unit_cost: amount }] },
        additionalFields: edits.field ? { footer_note: 'Thank you' } : {},
        ...guards,
        options,
      };
    case 'payment':
      return {
        resource: 'invoice',
        operation: 'addPayment',
        invoice_id: from('invoice', 'string'),
        type: tool ? from('means', 'string') : edits.field ? 'CASH' : 'CHECK',
        amt_paid: amount,
        date_payment: '2030-03-01',
        description: changing ?? memo,
        ...guards,
        options,
      };
    case 'subscription':
      return {
        resource: 'subscription',
        operation: 'create',
        customerSource: 'existing',
        customer_id,
        termsSource: 'offPlan',
        plan_frequency: 3,
        recur_amt: amount,
        endsAfter: 'payments',
        plan_duration: 12,
        date_start: '2030-03-01',
        additionalFields: {
          ...(changing !== undefined && { purchase_id: changing }),
          ...(tool && { plan_desc: memo }),
          ...(edits.field && { profile_id: '12345' }),
        },
        ...guards,
        options,
      };
    case 'split':
      return {
        resource: 'simulated',
        operation: 'split',
        pg_id: from('sale', 'string'),
        customer_id: from('customer', 'string'),
        amt_tran: amount,
        session_id: changing ?? '',
        loc_id: edits.field ? '0001' : '',
        options,
      };
    case 'updater':
      return {
        resource: 'accountUpdater',
        operation: 'submit',
        data: {
          item: [
            {
              card_number: '4111111111111111',
              exp_date: edited('expires', schedule, edits, (cents) =>
                cents === REFUSED_CENTS ? NO_EXPIRATION : expirationOf(cents),
              ),
              card_id: from('customer', 'string'),
            },
          ],
        },
        ...guards,
        options,
      };
    case 'api':
      return {
        resource: 'api',
        operation: 'request',
        method: 'POST',
        path: '={{ "/pg/refund/" + $json.sale }}',
        body: `={{ JSON.stringify({ merchant_id: "100000000001", amt_tran: ${amount.slice(3, -2)}${changing === undefined ? '' : ', session_id: "T" + $now.toMillis()'}${edits.field ? ', loc_id: "0001"' : ''} }) }}`,
        ...guards,
        options,
      };
  }
}

function placed(all: INodeParameters, tool: boolean): { guards: INodeParameters; options: INodeParameters } {
  const isGuard = ([name]: [string, unknown]) => tool && PANEL_GUARDS.some((one) => one === name);
  const entries = Object.entries(all);
  return {
    guards: Object.fromEntries(entries.filter(isGuard)),
    options: Object.fromEntries(entries.filter((entry) => !isGuard(entry))),
  };
}

/** Returns an expression for a field of a row. An edit applies to a row even if the person moves the row. */
function edited(
  field: string,
  { items }: Schedule,
  { amounts }: Edits,
  valueOf: (cents: number) => number | string,
): string {
  const values = Object.entries(amounts).map(([item, cents]): [string, unknown] => [item, valueOf(cents)]);
  if (values.length === 0) return `={{ $json.${field} }}`;
  const index = `$binary.number.fileName % ${items.length}`;
  return `={{ (${JSON.stringify(Object.fromEntries(values))})[${index}] ?? $json.${field} }}`;
}

function allowedIds({ options: { allowed }, operation }: Schedule, objects: ObjectName[]): INodeParameters {
  if (!allowed) return {};
  const ids = allowed.objects.map(
    (object) => objects[object]?.[moneyFacts(operation)?.on === 'sale' ? 'pgId' : 'customer'],
  );
  return { onlyFor: [...ids, ...(allowed.hasBlank ? [' '] : [])].join(',') };
}

/** Operations whose writes create records that the service lists. */
const FOUND_AT_SERVICE = new Set<Schedule['operation']>(['refund', 'invoice']);
/** Charges and payouts that the node recognizes by a reference in the row. */
const FOUND_BY_REFERENCE = new Set<Schedule['operation']>(['sale', 'authorize', 'credit', 'force', 'payout']);

/** Returns whether the node returns an existing record instead of sending an item. */
export function returnsExisting({ options, operation, alike }: Schedule): boolean {
  const hasReference = alike?.reference === true || (alike?.purchaseId === true && operation !== 'payout');
  const isFound = FOUND_AT_SERVICE.has(operation) || (FOUND_BY_REFERENCE.has(operation) && hasReference);
  return options.returnExisting === true && isFound;
}

function optionsOf(schedule: Schedule, edits: Edits): INodeParameters {
  const { options } = schedule;
  const { parallel, maxTries, retryTime, timeout, limitPerItem, testEnvironmentOnly } = options;
  const ifExists = ifExistsOf(schedule);
  const limit = edits.limitPerItem ?? limitPerItem;
  return {
    sending: { maxParallelRequests: edits.parallel ?? parallel, maxTries, retryTime, timeout },
    ...(sendsAgain(options, edits) && { unknownOutcome: 'resend' }),
    ...(limit !== undefined && { limitPerItem: limit === 'item' ? '={{ $json.limit }}' : limit / 100 }),
    ...(testEnvironmentOnly !== undefined && {
      testEnvironmentOnly: testEnvironmentOnly === 'item' ? '={{ $json.test }}' : testEnvironmentOnly,
    }),
    ...(options.limitPerExecution !== undefined && { limitPerExecution: options.limitPerExecution / 100 }),
    ...(options.limitPerDay !== undefined && { limitPerDay: options.limitPerDay / 100 }),
    ...(options.oncePerKey && { oncePerKey: '={{ $json.sale || $json.customer }}' }),
    ...(options.allowEqual !== undefined && { allowEqual: options.allowEqual }),
    ...(ifExists && { ifExists }),
    ...(edits.resolve.length > 0 && {
      unknownOutcome: 'resolve',
      resolve: { item: edits.resolve.map((entry) => ({ ...entry })) },
    }),
  };
}

export const sendsAgain = ({ resend }: Schedule['options'], edits: Edits): boolean =>
  (resend || edits.resend) && edits.resolve.length === 0;

/** Only a tool searches for existing refunds by default. */
function ifExistsOf(schedule: Schedule): INodeParameters | undefined {
  const { options, caller, operation } = schedule;
  const isTool = caller !== 'items';
  const since = operation === 'refund' && !isTool && options.duplicateCheck && { since: '2020-01-01T00:00:00Z' };
  if (returnsExisting(schedule)) return { then: 'return', ...since };
  if (since) return { then: 'fail', ...since };
  return moneyFacts(operation)?.on === 'sale' && isTool && !options.duplicateCheck ? { then: 'skip' } : undefined;
}
