import { existsSync } from 'node:fs';
import { join } from 'node:path';

import Ajv from 'ajv';
import { resolveOutputSchemaPath } from 'n8n-core';
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import {
  existingSchemaFiles,
  operationFiles,
  readmeFiles,
  recordFiles,
  releasedFiles,
  schemaFiles,
} from '../../docs/generate/files';
import {
  bodyOf,
  describedOperation,
  propertiesOf,
  resolve,
  root,
  type Schema,
} from '../../docs/generate/interface-document';
import { markFiles } from '../../docs/generate/marks';
import { kindFiles } from '../../docs/generate/meanings';
import { outputSchema, type OutputSchema } from '../../docs/generate/output-schema';
import { packageNodes } from '../../docs/generate/package-nodes';
import { parameterRows } from '../../docs/generate/parameters';
import { recordNameFiles } from '../../docs/generate/records';
import { secretOutputFields } from '../../docs/generate/secrets';
import { typeFiles } from '../../docs/generate/types';
import { wireFiles } from '../../docs/generate/wire';
import { stale, type Files } from '../../docs/generate/written';
import { editorProperties } from '../../nodes/PaymentPlatform/fields/editor';
import { wireFields } from '../../nodes/PaymentPlatform/fields/section';
import type { Field } from '../../nodes/PaymentPlatform/fields/types';
import { parameterOf } from '../../nodes/PaymentPlatform/fields/value';
import type { Operation } from '../../nodes/PaymentPlatform/pipeline/types';
import { asText } from '../../nodes/PaymentPlatform/shared/objects';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { startSandbox, type Sandbox } from '../../sandbox';
import { exampleRequest } from '../example-request';
import { misfits } from '../meanings';
import { runWorkflow } from '../workflow/harness';

const operations = resources.flatMap((resource) =>
  resource.operations.map((operation) => ({ name: `${resource.value}.${operation.value}`, resource, operation })),
);
/** All but the request that a person chooses: nobody knows its answer. */
const answered = operations.filter(({ operation }) => operation.request.operationId);

test.each<[string, () => Files, (() => Files)?]>([
  ['the types of the interface', typeFiles],
  ['what the shipped code needs of the interface', wireFiles],
  ['the marks of its fields', markFiles],
  ['the types of its values', kindFiles],
  ['the names of the fields of its records', recordNameFiles],
  ['docs/operations.md', operationFiles],
  ['docs/records.md', recordFiles],
  ['the output schemas', schemaFiles, existingSchemaFiles],
  ['the record of what workflows store', releasedFiles],
  ["the README's table", readmeFiles],
])('%s: as `npm run generate` makes it today', (_, files, existing = () => ({})) => {
  const paths = stale(files(), existing());
  if (paths.length > 0) throw new Error(`Stale: ${paths.join(', ')}. Run "npm run generate" and commit the result.`);
});

const fieldNames = (fields: Field[], prefix = ''): string[] =>
  fields.flatMap((field) => {
    const name = `${prefix}${parameterOf(field)}`;
    return [name, ...fieldNames(field.fields ?? [], `${name}.`)];
  });
const everyField = ({ operation: { fields, additional = [] } }: (typeof operations)[number]) =>
  wireFields([...fields, ...additional]);

test.each(operations)('the table of $name has a line for every field, nested ones too', (one) => {
  const names = parameterRows(one.operation).map(({ name }) => name);
  const composed = everyField(one).filter(
    (field) => !editorProperties(field).some(({ name }) => name === parameterOf(field)),
  );
  expect(composed).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(fieldNames(everyField(one))));
});

test.each(answered)('the table of $name says of every field that is sent where it is known from', (one) => {
  const sent = fieldNames(everyField(one).filter(({ place }) => place !== 'node'));
  const known = parameterRows(one.operation).filter(({ source }) => /^(document|reference)/.test(source));
  expect(known.map(({ name }) => name)).toEqual(expect.arrayContaining(sent));
});

test.each(answered)("n8n's own resolver finds an output schema of $name that the editor can show", (one) => {
  const nodeDir = join(root, 'nodes/PaymentPlatform');
  const ref = { nodeDir, version: 1, resource: one.resource.value, operation: one.operation.value };
  expect(existsSync(resolveOutputSchemaPath(ref) ?? '')).toBe(true);
  const schema = outputSchema(one.operation);
  expect(schema?.type).toBe('object');
  expect(Object.keys(schema?.properties ?? {}).length).toBeGreaterThan(0);
  expect(JSON.stringify(schema)).not.toMatch(/"(\$ref|allOf|oneOf|anyOf)"/);
});

/** The schema with nothing allowed beside what it describes. */
const closed = ({ properties, items, ...rest }: OutputSchema): object => ({
  ...rest,
  ...(items && { items: closed(items) }),
  ...(properties && {
    properties: Object.fromEntries(Object.entries(properties).map(([name, own]) => [name, closed(own)])),
    ...(Object.keys(properties).length > 0 && { additionalProperties: false }),
  }),
});

describe('the records that the service really gives are as the output schema says, with nothing left out of it', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, seed: true });
  });
  afterAll(async () => await sandbox.stop());

  const run = async (name: string, parameters: INodeParameters) => {
    const [resource, operation] = name.split('.');
    const { items, error } = await runWorkflow({
      rows: [{}],
      parameters: { resource, operation, ...parameters } as INodeParameters,
      credential: {
        environment: 'test',
        baseUrl: sandbox.baseUrl,
        merchantId: sandbox.credentials.test.merchantId,
        authMethod: 'apiToken',
        apiToken: sandbox.credentials.test.token,
      },
    });
    expect(error?.message).toBeUndefined();
    return items.map(({ json }) => json);
  };
  const idOf = async (name: string, parameters: INodeParameters, id: string) =>
    asText((await run(name, parameters))[0]?.[id]);
  const byId = (value: string) => ({ __rl: true, mode: 'id', value });
  const customer = () => byId(String(sandbox.control.state().customers[0]?.customer_id));

  const card = { card_number: '4111111111111111', exp_date: '1230' };
  const recipient = { shipping_first_name: 'Ana', shipping_last_name: 'Silva', shipping_city: 'Salem' };
  const cardOfCustomer = () => ({
    customer_id: customer(),
    card_id: byId(String(sandbox.control.state().customers[0]?.billing_cards[0]?.card_id)),
  });
  const addressOfCustomer = async () => {
    const shipping_id = await idOf('customerAddress.create', { customer_id: customer(), ...recipient }, 'shipping_id');
    return { customer_id: customer(), shipping_id: byId(shipping_id) };
  };
  const ana = { customer_first_name: 'Ana', customer_last_name: 'Silva' };
  const item = { quantity: 1, description: 'Part', unit_cost: 12.5 };
  const invoice = () => ({ customer_id: customer(), line_items: { item: [item] } });
  const invoiceId = async () => ({ invoice_id: await idOf('invoice.create', invoice(), 'invoice_id') });
  const sentInvoice = async () => {
    const { invoice_id } = await invoiceId();
    await run('invoice.send', { invoice_id, email_address: ['ana@example.com'] });
    return { invoice_id };
  };
  const payment = { type: 'CHECK', amt_paid: 12.5, date_payment: '2026-03-31' };
  const paidInvoice = async () => {
    const { invoice_id } = await invoiceId();
    await run('invoice.addPayment', { invoice_id, ...payment });
    return { invoice_id };
  };
  const payable = async () => {
    const { invoice_id } = await invoiceId();
    const payment_id = await idOf('invoice.addPayment', { invoice_id, ...payment, amt_paid: 1 }, 'payment_id');
    return { invoice_id, payment_id: byId(payment_id) };
  };
  const checkout = { purpose: 'payment', amt_tran: 12.5 };
  const terms = { termsSource: 'plan', plan_code: 'MONTHLY25', date_start: '2030-03-01', amt_setup: 20 };
  const subscription = () => ({ customerSource: 'existing', customer_id: customer(), ...terms });
  const subscribed = async () => ({
    subscription_id: await idOf('subscription.create', subscription(), 'subscription_id'),
  });
  const plan = {
    ...{ own_plan_code: 'BOX', plan_name: 'Box', plan_desc: 'A box', recur_amt: 5, endsAfter: 'cancellation' },
    ...{ bill_specific_day: true, day_of_month: 1 },
  };
  const labeled = async () => {
    const parameters = await subscribed();
    await run('subscription.addLabel', { ...parameters, own_label_name: 'route', label_value: 'North' });
    return { ...parameters, label_name: 'route' };
  };
  const sale = () => byId(sandbox.control.addCapturedSales({ count: 1, amountCents: 500 })[0] ?? '');
  const webhook = { notification_url: 'https://n8n.example.com/webhook/x', label: 'Paid invoices' };
  const account = { payee_id: '9001', tr_number: '021000021', dda_number: '000123456789' };

  /** What an operation needs beside the interface's examples; made when it runs, for much of it stands on other operations. */
  const PARAMETERS: Record<string, () => INodeParameters | Promise<INodeParameters>> = {
    'accountUpdater.submit': () => ({ data: { item: [{ ...card, card_id: 'member-17' }] } }),
    'accountUpdater.getSummary': async () => ({
      request_id: await idOf('accountUpdater.submit', { data: { item: [card] } }, 'request_id'),
    }),
    'card.tokenize': () => ({ ...card, additionalFields: { single_use: false } }),
    'card.updateToken': async () => ({ card_id: await idOf('card.tokenize', card, 'card_id'), exp_date: '0131' }),
    'checkout.create': () => checkout,
    'checkout.get': async () => ({ checkout_id: byId(await idOf('checkout.create', checkout, 'checkout_id')) }),
    'customer.getAll': () => ({ returnAll: true }),
    'customer.get': () => ({ customer_id: customer() }),
    'customer.create': () => ({
      ...ana,
      customer_firm_name: 'Silva Bakery',
      customer_email: 'ana@example.com',
      billing_cards: { item: [{ ...card, additionalFields: { verify: true, billing_zip4: '1234' } }] },
      shipping_addresses: { item: [{ shipping_city: 'Salem', additionalFields: { primary: true } }] },
      additionalFields: { customer_phone: '+12025550143', reference_id: 77, comments: 'Pays late' },
    }),
    'customer.upsert': () => ({ own_customer_id: 'ANA1', ...ana }),
    'customer.update': () => ({ customer_id: customer(), customer_email: 'ana@example.com' }),
    'customerCard.update': () => ({ ...cardOfCustomer(), exp_date: '0133' }),
    'customerAddress.update': async () => ({ ...(await addressOfCustomer()), shipping_city: 'Bend' }),
    'customerCard.getAll': () => ({ customer_id: customer() }),
    'customerCard.create': () => ({ customer_id: customer(), ...card, billing_zip: '97477' }),
    'customerCard.setPrimary': cardOfCustomer,
    'customerCard.delete': cardOfCustomer,
    'customerAddress.getAll': addressOfCustomer,
    'customerAddress.create': () => ({ customer_id: customer(), ...recipient }),
    'customerAddress.setPrimary': addressOfCustomer,
    'customerAddress.delete': addressOfCustomer,
    'customer.delete': () => ({ customer_id: customer() }),
    'dispute.createTestData': () => ({}),
    'invoice.create': invoice,
    'invoice.get': invoiceId,
    'invoice.send': async () => ({ ...(await invoiceId()), email_address: ['ana@example.com'] }),
    'invoice.addPayment': async () => ({ ...(await invoiceId()), ...payment }),
    'invoice.getAll': () => ({ returnAll: true }),
    'invoice.resend': async () => ({ ...(await sentInvoice()), email_address: ['ana@example.com'] }),
    'invoice.cancel': sentInvoice,
    'invoice.update': async () => ({ ...(await invoiceId()), invoice_number: 'INV-1' }),
    'invoice.updateContacts': async () => ({
      ...(await sentInvoice()),
      billing_contact: { item: { first_name: 'Ana', last_name: 'Silva', email_address: 'ana@example.com' } },
    }),
    'invoice.copy': invoiceId,
    'invoice.updatePayment': async () => ({ ...(await payable()), amt_paid: 2 }),
    'invoice.deletePayment': payable,
    'invoice.getBounced': async () => {
      const { invoice_id } = await invoiceId();
      await run('invoice.send', { invoice_id, email_address: ['undeliverable@example.com'] });
      return { returnAll: true };
    },
    'invoice.getPayments': paidInvoice,
    'invoice.getAllPayments': paidInvoice,
    'plan.create': () => ({ ...plan, additionalFields: { amt_setup: 10, trial_duration: 1, amt_trial: 1 } }),
    'plan.upsert': () => plan,
    'plan.update': async () => {
      await run('subscription.create', subscription());
      return { plan_code: byId('MONTHLY25'), recur_amt: 26 };
    },
    'payee.get': () => ({ payee_id: '9001' }),
    'payee.updateAccount': () => ({ ...account, accountholder_name: 'Ana Silva' }),
    'payee.delete': () => ({ payee_id: '9001' }),
    'report.getTransactions': () => ({ returnAll: true }),
    'report.getSettlements': () => {
      sandbox.control.addCapturedSales({ count: 3, amountCents: 500 });
      sandbox.control.closeBatch();
      return { returnAll: true };
    },
    'subscription.create': subscription,
    'subscription.get': subscribed,
    'subscription.update': async () => ({ ...(await subscribed()), date_start: '2030-05-01' }),
    'subscription.getTransactions': async () => ({ ...(await subscribed()), returnAll: true }),
    'subscription.getAllTransactions': async () => {
      await subscribed();
      return { returnAll: true };
    },
    'subscription.addLabel': async () => ({ ...(await subscribed()), own_label_name: 'route', label_value: 'North' }),
    'subscription.getLabels': labeled,
    'subscription.updateLabel': async () => ({ ...(await labeled()), label_value: 'South' }),
    'subscription.deleteLabel': labeled,
    'subscription.pause': subscribed,
    'subscription.cancel': subscribed,
    'subscription.resume': async () => {
      const parameters = await subscribed();
      await run('subscription.pause', parameters);
      return parameters;
    },
    'subscription.getAll': async () => {
      await run('subscription.create', subscription());
      return { returnAll: true };
    },
    'transaction.get': () => ({ pg_id: sale() }),
    'transaction.refund': () => ({
      pg_id: sale(),
      amt_tran: 1.5,
    }),
    'webhook.getAll': async () => {
      await run('webhook.create', webhook);
      return { returnAll: true };
    },
    'accountUpdater.getAll': async () => {
      await run('accountUpdater.submit', { data: { item: [{ ...card, card_id: 'member-17' }] } });
      return { returnAll: true };
    },
    'webhook.create': () => webhook,
  };
  const exampleParameters = ({ request: { operationId = '' } }: Operation): INodeParameters => {
    const { path, query, body } = exampleRequest(operationId);
    return { ...path, ...query, ...body } as INodeParameters;
  };
  const ajv = new Ajv({ strict: false, allErrors: true });
  /** Nobody knows in which zone the service writes when a webhook was registered or a plan was changed (docs/service.md#values). */
  const UNKNOWN_ZONE = /^\[0\]\.(db|mod)_timestamp is no instant: "\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"$/;

  describe.each(answered)('$name', ({ name, operation }) => {
    beforeEach(() => sandbox.control.reset());
    test.each([
      ['as it comes', true],
      ...(operation.simplified ? [['with Simplify switched off', false] as [string, boolean]] : []),
    ] as Array<[string, boolean]>)('%s', async (_, simplify) => {
      const parameters = (await PARAMETERS[name]?.()) ?? exampleParameters(operation);
      const records = await run(name, { ...parameters, ...(operation.simplified && { simplify }) });
      expect(records.length).toBeGreaterThan(0);
      const validate = ajv.compile(closed(outputSchema(operation, !simplify) as OutputSchema));
      const wrong = records.flatMap((record: IDataObject) => (validate(record) ? [] : (validate.errors ?? [])));
      expect(wrong.map(({ instancePath, message, params }) => [instancePath, message, params])).toEqual([]);
      expect(misfits(records).filter((one) => !UNKNOWN_ZONE.test(one))).toEqual([]);
    });
  });
});

test('the fields of answers that the interface calls secret are declared sensitive to n8n', () => {
  const node = packageNodes().find(({ description }) => description.name === 'paymentPlatform');
  expect(node?.description.sensitiveOutputFields?.toSorted()).toEqual(secretOutputFields());
});

/** Every parameter, nested ones too. */
const everyParameter = (properties: INodeProperties[]): INodeProperties[] =>
  properties.flatMap((property) => [
    property,
    ...everyParameter(
      (property.options ?? []).flatMap((option) =>
        'values' in option ? option.values : 'type' in option ? [option] : [],
      ),
    ),
  ]);

/** Names of the fields of a request that the interface calls secret, in its objects and lists too. */
const secretNames = (schema: Schema): string[] =>
  Object.entries(propertiesOf(schema)).flatMap(([name, own]) => {
    const { 'x-secret': secret, items } = resolve(own);
    return secret ? [name] : secretNames(items ?? own);
  });

const withSecrets = answered.flatMap((one) => {
  const { schema } = bodyOf(describedOperation(one.operation.request.operationId ?? '').requestBody);
  const secret = [...new Set(schema ? secretNames(schema) : [])];
  return secret.length > 0 ? [{ ...one, secret }] : [];
});

test.each(withSecrets)(
  '$name: what the interface calls secret is a password field, and is said to be secret',
  (one) => {
    const { operation, secret } = one;
    const parameters = everyParameter(everyField(one).flatMap(editorProperties));
    const offered = parameters.filter(({ name }) => secret.includes(name));
    expect([...new Set(offered.map(({ name }) => name))].sort()).toEqual(secret.sort());
    for (const { name, type, typeOptions } of offered)
      expect([name, type, typeOptions?.password]).toEqual([name, 'string', true]);
    const rows = parameterRows(operation).filter(({ name }) => secret.includes(name.split('.').at(-1) ?? ''));
    for (const { name, allowed } of rows) expect([name, allowed]).toEqual([name, expect.stringMatching(/secret$/)]);
  },
);
