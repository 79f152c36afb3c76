import {
  NodeHelpers,
  type INode,
  type INodeParameters,
  type INodeProperties,
  type INodePropertyCollection,
  type NodeParameterValueType,
} from 'n8n-workflow';

import { resources } from '../../../nodes/PaymentPlatform/resources';
import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import type { StateDump } from '../../../sandbox';
import { isDeep } from '../../quantity';
import { sandboxForFile } from '../bench';
import { PAYMENT_NODE, runWorkflow } from '../harness';
import { inside, offered } from './person/fill';
import { PDF } from './person/learner';
import { freshRecords } from './person/records';

const sandbox = sandboxForFile();
const { description } = PAYMENT_NODE;

const isList = ({ type, typeOptions }: INodeProperties) =>
  type === 'fixedCollection' && typeOptions?.multipleValues === true;

/** Returns the row that n8n's editor adds to a list (n8n.md#parameters). */
function newRow({ options = [] }: INodeProperties): INodeParameters {
  const [{ values }] = options as [INodePropertyCollection];
  return Object.fromEntries(values.map((value) => [value.name, isList(value) ? {} : value.default])) as INodeParameters;
}

interface List {
  property: INodeProperties;
  place: (value: NodeParameterValueType) => INodeParameters;
}

function listsIn(properties: INodeProperties[], around: (added: INodeParameters) => INodeParameters): List[] {
  return properties.flatMap((property): List[] => {
    const { name, type, options = [] } = property;
    const place = (value: NodeParameterValueType) => around({ [name]: value });
    if (type === 'collection') return listsIn(inside(property), place);
    if (type !== 'fixedCollection') return [];
    const [{ name: entry }] = options as [INodePropertyCollection];
    const row = newRow(property);
    const inRow = (added: INodeParameters) =>
      place({ [entry]: isList(property) ? [{ ...row, ...added }] : { ...row, ...added } });
    return [...(isList(property) ? [{ property, place }] : []), ...listsIn(inside(property), inRow)];
  });
}

interface Case extends List {
  name: string;
}

const cases: Case[] = resources.flatMap(({ value: resource, operations }) =>
  operations.flatMap(({ value: operation }) =>
    listsIn(offered(description, resource, operation), (added) => ({ resource, operation, ...added })).map((list) => ({
      ...list,
      name: `${resource}.${operation} > ${list.property.displayName}`,
    })),
  ),
);

const shownIn = (row: INodeParameters, values: INodeProperties[]) =>
  values.filter((value) => NodeHelpers.displayParameter(row, value, { typeVersion: 1 }, null));

/** Expression that returns empty text. n8n accepts the expression, so the node reports the missing value. */
const NOTHING = '={{ "" }}';

/** Values that a user must enter in a new row, by list and label. */
const ENTERED: Record<string, Record<string, string>> = {
  // A number and a date.
  Filters: { Value: '20260331' },
  'Query Parameters': { Name: 'page', Value: '0' },
  'Echo Fields': { Name: 'order' },
  'Report Data': { Name: 'order' },
  'Line Items': { Description: 'Work', 'Unit Cost': '12.50' },
  Cards: { 'Card Number': '4111111111111111', 'Expiration Date': '1230' },
  'Billing Cards': { 'Card Number': '4111111111111111', 'Expiration Date': '1230', 'ZIP or Postal Code': '97477' },
  'Shipping Addresses': { 'First Name': 'Ana', 'Last Name': 'Silva' },
};
/** Additional values that the gateway requires for an address. */
const OF_GATEWAY = {
  'Address Line 1': '1 Oak Street',
  City: 'Eugene',
  State: 'OR',
  'ZIP or Postal Code': '97477',
  Country: '840',
};

const enteredIn = ({ name, property: { displayName } }: Case): Record<string, string> => ({
  ...ENTERED[displayName],
  ...(/^(?:transaction|card)\./.test(name) && displayName === 'Shipping Addresses' && OF_GATEWAY),
});

/** For one field, the node reports a missing value only in a second message. */
const isNamedLater = ({ name }: Case, label: string): boolean =>
  name === 'customer.update > Billing Cards' && label === 'ZIP or Postal Code';

function withNewRow(of: Case, text: (label: string) => string): INodeParameters {
  const [{ name, values }] = of.property.options as [INodePropertyCollection];
  const row = newRow(of.property);
  const labels = Object.keys(enteredIn(of));
  const missing = shownIn(row, values).filter(({ displayName }) => labels.includes(displayName));
  const empty = missing.filter((value) => row[value.name] === '');
  return { [name]: [{ ...row, ...Object.fromEntries(empty.map((value) => [value.name, text(value.displayName)])) }] };
}

function required({ transactions, invoices, payments, disputes, ...state }: StateDump): Record<string, unknown> {
  const customer = state.customers[0];
  return {
    ...{ amt_tran: '1.00', amt_paid: '1.00', auth_code: 'T53680', type: 'CHECK', date_payment: '2026-03-31' },
    ...{ customer_id: customer?.customer_id, card_id: customer?.billing_cards[0]?.card_id },
    ...{ shipping_id: customer?.shipping_addresses[0]?.shipping_id, billing_zip: '97477', fbo_id: '7001' },
    ...{ shipping_first_name: 'Ana', shipping_last_name: 'Silva', own_customer_id: 'NEW1' },
    ...{ email_address: 'ana@example.com', payment_id: payments.at(-1)?.payment_id },
    ...{ invoice_id: invoices.at(-1)?.invoice_id, rec_id: disputes.at(-1)?.rec_id },
    ...{ pg_id: transactions.find(({ tran_status }) => tran_status === 'C')?.pg_id, payee_name: 'Silva Bakery' },
    ...{ customerSource: 'existing', termsSource: 'plan', date_start: '2031-01-01', endsAfter: 'cancellation' },
    ...{ plan_code: 'MONTHLY25', plan_id: state.plans[0]?.plan_id, own_plan_code: 'YEARLY', plan_name: 'Support' },
    ...{ plan_desc: 'Support by email', recur_amt: '12.50', plan_frequency: '3', label_name: 'route' },
    ...{ subscription_id: state.subscriptions[0]?.subscription_id, own_label_name: 'branch', label_value: 'Eugene' },
    ...{ payee_id: state.payees[0]?.payee_id, tr_number: '122105155', dda_number: '000123456789' },
    ...{ card_number: '4111111111111111', file: 'data', event: 'invoice_paid' },
    ...{ notification_url: 'https://n8n.example.com/hook', label: 'Paid invoices', method: 'GET' },
    ...{ webhook_id: state.webhooks[0]?.webhook_id, request_id: state.updaterRequests.at(-1)?.request_id },
    ...{ checkout_id: state.checkouts.at(-1)?.checkout_id, path: '/platform/invoice' },
  };
}

const payingCustomer = () => ({ customer_id: 'CUST0001' });
const tokenized = ({ tokens }: StateDump) => ({ tokenized_card_id: tokens.at(-1)?.card_id });
const typedCard = () => ({ card_number: '4111111111111111', exp_date: '1230' });
const LINE = { item: [{ quantity: 1, description: 'Work', unit_cost: '12.50' }] };

const CHANGED = { item: { first_name: 'Ana', last_name: 'Silva', email_address: 'ana@example.com' } };
const draftOf = ({ invoices }: StateDump) => ({
  invoice_id: invoices.find(({ status }) => status === 'SAVED')?.invoice_id,
});

const savedCard = ({ customers }: StateDump) => ({ card_id: customers[0]?.billing_cards[0]?.card_id });

/** Values that some operations need in addition to their required parameters. */
const ALSO: Record<string, (state: StateDump) => Record<string, unknown>> = {
  'transaction.payout': ({ payees }) => ({ payee_id: payees[0]?.payee_id }),
  'invoice.send': draftOf,
  'invoice.resend': () => ({ email_address: ['ana@example.com'] }),
  'invoice.updateContacts': () => ({ additionalFields: { billing_contact: CHANGED } }),
  'invoice.updatePayment': () => ({ amt_paid: '2.00' }),
  'subscription.update': () => ({ new_date_start: '2031-02-01' }),
  'subscription.resume': ({ subscriptions }) => ({
    subscription_id: subscriptions.find(({ status }) => status === 'P')?.subscription_id,
  }),
  'plan.update': () => ({ plan_name: 'Support' }),
  'customer.update': () => ({ customer_first_name: 'Ana' }),
  'customerCard.create': typedCard,
  'customerCard.update': () => ({ exp_date: '1231' }),
  'customerAddress.update': () => ({ shipping_city: 'Eugene' }),
  'dispute.respond': () => ({ dispute_response: { message: 'Delivered' } }),
  'payee.update': () => ({ payee_name: 'Silva Bakery' }),
  'webhook.update': () => ({ label: 'Payments' }),
  'accountUpdater.submit': () => ({ data: { item: [typedCard()] } }),
  ...{ 'accountUpdater.hold': savedCard, 'accountUpdater.release': savedCard },
  ...{ 'transaction.sale': payingCustomer, 'transaction.authorize': payingCustomer },
  ...{ 'transaction.credit': payingCustomer, 'transaction.force': payingCustomer },
  'transaction.capture': ({ transactions }) => ({
    pg_id: transactions.find(({ tran_status }) => tran_status === 'A')?.pg_id,
  }),
  'invoice.create': () => ({ line_items: LINE }),
  'invoice.update': (state) => ({ ...draftOf(state), invoice_number: 'INV-9' }),
  'checkout.create': () => ({ amt_tran: '1.00' }),
  ...{
    'customer.create': () => ({ customer_firm_name: 'Silva Bakery' }),
    'customer.upsert': () => ({ customer_firm_name: 'Silva Bakery' }),
  },
  ...{
    'card.tokenize': typedCard,
    'card.verify': typedCard,
    'card.updateToken': (state) => ({ ...tokenized(state), ...typedCard() }),
  },
  'card.expireToken': tokenized,
};

function withCustomer(parameters: INodeParameters): INodeParameters {
  if (parameters.customer === undefined) return parameters;
  const [[entry, customer]] = Object.entries(parameters.customer as INodeParameters) as [[string, INodeParameters]];
  const hasCard = Object.keys(customer.billing_cards ?? {}).length > 0;
  const billing_cards = { item: [{ card_number: '4111111111111111', exp_date: '1230', billing_zip: '97477' }] };
  const whole = { ...customer, customer_firm_name: 'Silva Bakery', ...(!hasCard && { billing_cards }) };
  return { ...parameters, customerSource: 'new', customer: { [entry]: whole } };
}

/** Omits defaults, because n8n doesn't store them. */
function filledIn(parameters: INodeParameters): INodeParameters {
  const { resource, operation } = parameters as Record<string, string>;
  const state = sandbox.control.state();
  const also = ALSO[`${resource}.${operation}`]?.(state) ?? {};
  const values = { ...required(state), ...also };
  const all = offered(description, resource ?? '', operation ?? '').filter(
    ({ name, type, required: isRequired }) => type !== 'notice' && (isRequired === true || name in also),
  );
  const filled = all.map(({ name, type, default: initial }) => {
    const value = values[name] ?? initial;
    return [name, type === 'resourceLocator' ? { __rl: true, mode: 'id', value: asText(value) } : value];
  });
  const whole = { ...Object.fromEntries(filled), ...withCustomer(parameters) } as INodeParameters;
  const node = { typeVersion: 1 } as INode;
  return NodeHelpers.getNodeParameters(description.properties, whole, false, false, node, description) ?? {};
}

async function messageOf({ place }: Case, list: INodeParameters): Promise<string | undefined> {
  const parameters = place(list);
  await freshRecords(sandbox, asText(parameters.resource));
  const { merchantId, apiKey } = sandbox.credentials.test;
  const { error } = await runWorkflow({
    rows: [{}],
    files: [{ data: PDF }],
    parameters: filledIn(parameters),
    credential: { environment: 'test', baseUrl: sandbox.baseUrl, merchantId, authMethod: 'apiKey', apiKey },
  });
  return error?.message;
}

function labelsIn(message: string | undefined, { property }: Case): string[] {
  if (message === undefined) return [];
  const problems = message.split('. ');
  const labels = problems.map((problem) =>
    /^"([^"]+)" is required$/.exec(problem)?.[1]?.split(`${property.displayName} 1 > `),
  );
  const more = Number(/^There (?:is|are) (\d+) more problems?$/.exec(problems.at(-1) ?? '')?.[1] ?? 0);
  const named = labels.flatMap((parts) => parts?.[1] ?? []);
  return named.length + Number(more > 0) === problems.length
    ? [...named, ...Array<string>(more).fill('more')]
    : [message];
}

/** Returns a new row's problems with and without the values that a user must enter. */
async function problemsOf(of: Case): Promise<string[]> {
  const { name, property } = of;
  const [{ values }] = property.options as [INodePropertyCollection];
  const row = newRow(property);
  const unfit = shownIn(row, values).filter((value) => !isList(value) && row[value.name] !== value.default);
  const empty = shownIn(row, values).filter((value) => row[value.name] === '');
  const entered = Object.keys(enteredIn(of)).filter((label) => empty.some(({ displayName }) => displayName === label));
  const wanted = entered.filter((label) => !isNamedLater(of, label));
  const lacks = labelsIn(
    await messageOf(
      of,
      withNewRow(of, () => NOTHING),
    ),
    of,
  );
  const named = lacks.filter((label) => label !== 'more');
  const isExact = lacks.length === wanted.length && named.every((label) => wanted.includes(label));
  const message =
    wanted.length === 0
      ? undefined
      : await messageOf(
          of,
          withNewRow(of, (label) => enteredIn(of)[label] ?? ''),
        );
  return [
    ...unfit.map((value) => `${name} > ${value.displayName} starts as ${JSON.stringify(row[value.name])}`),
    ...(isExact ? [] : [`${name} lacks ${lacks.join(', ')} instead of ${wanted.join(', ') || 'nothing'}`]),
    ...(message === undefined ? [] : [`${name} fails: ${message}`]),
  ];
}

const isResolve = ({ property }: Case) => property.displayName === 'Resolve Items';
const resourceOf = ({ name }: Case) => name.split('.')[0];

/** All operations have the same list Resolve Items. */
const tested = cases.filter(
  (one) =>
    isDeep ||
    !isResolve(one) ||
    cases.find((other) => isResolve(other) && resourceOf(other) === resourceOf(one)) === one,
);

test('finds lists at the top level, in collections and in objects', () => {
  expect(cases.length).toBeGreaterThan(150);
  expect(new Set(tested.map(({ property }) => property.displayName))).toEqual(
    new Set([...Object.keys(ENTERED), 'Resolve Items']),
  );
});

test.each([...new Set(tested.map(resourceOf))])(
  'a new row of each list of %s succeeds, or lacks only values that a user must enter',
  async (resource) => {
    const problems: string[] = [];
    for (const one of tested) if (resourceOf(one) === resource) problems.push(...(await problemsOf(one)));
    expect(problems).toEqual([]);
  },
  60_000,
);
