import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { credentialFor } from '../../credential';
import { benchOf, sandboxForFile } from '../bench';
import { subscriptionBench } from '../resources/subscription-bench';
import { toolOf, type ToolInput } from './tool-harness';
import { draft, idOf } from '../writes';

const sandbox = sandboxForFile();
const bench = benchOf(sandbox);
const { newSubscription } = subscriptionBench(sandbox, '2030-03-01');
const said = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;
const tool = (parameters: INodeParameters, more: Partial<ToolInput> = {}) =>
  toolOf({
    parameters: {
      limitPerItem: 1000,
      limitPerExecution: 5000,
      options: { ifExists: { then: 'skip' } },
      ...parameters,
    },
    credential: credentialFor(sandbox),
    ...more,
  });
const subscriptions = () => sandbox.control.state().subscriptions;
const customer = () => sandbox.control.state().customers.find(({ customer_id }) => customer_id === 'CUST0001');
const writes = () => sandbox.control.journal().filter(({ method }) => method !== 'GET');

describe('a model that creates a subscription again', () => {
  const terms = {
    ...{ resource: 'subscription', operation: 'create', customerSource: 'existing', customer_id: idOf('CUST0001') },
    ...{ termsSource: 'offPlan', plan_frequency: 3, interval: said('interval'), recur_amt: said('amount') },
    ...{ endsAfter: 'payments', plan_duration: 12, date_start: '2099-01-01', amt_setup: said('fee') },
  };
  const first = { interval: '', amount: '10', fee: '' };

  test.each([
    ['with what the service assumes spelled out', { ...first, interval: '1' }],
    ['with a fee of nothing', { ...first, fee: '0' }],
    ['with the amount written otherwise', { ...first, amount: '10.00' }],
  ])('recognizes the same subscription %s', async (_, again) => {
    const { call } = tool(terms);
    const before = subscriptions().length;
    await call(first);
    expect((await call(again)).text).toContain('DONE BEFORE');
    expect(subscriptions()).toHaveLength(before + 1);
  });

  test.each([
    ['another interval', { ...first, interval: '2' }],
    ['a fee', { ...first, fee: '5' }],
  ])('creates another subscription with %s', async (_, again) => {
    const { call } = tool(terms);
    const before = subscriptions().length;
    await call(first);
    await call(again);
    expect(subscriptions()).toHaveLength(before + 2);
  });

  test('recognizes the same new customer with capitals in the email address', async () => {
    const billing_cards = { item: [{ card_number: '4111111111111111', exp_date: '12/30', billing_zip: '97477' }] };
    const names = { customer_first_name: 'Zoe', customer_last_name: 'Quist', auto_generate_customer_id: true };
    const { call } = tool({
      ...terms,
      ...{ customerSource: 'new', customer: { item: { ...names, customer_email: said('email'), billing_cards } } },
      ...{ customer_id: '', interval: '', recur_amt: 10, amt_setup: '' },
    });
    const before = subscriptions().length;
    await call({ email: 'zoe@example.com' });
    expect((await call({ email: 'Zoe@Example.com' })).text).toContain('DONE BEFORE');
    expect(subscriptions()).toHaveLength(before + 1);
  });
});

describe.each([
  ['an agent', {}],
  ['a trigger from outside of executions', { fromOutside: true }],
])('the state set by %s', (_, settings) => {
  test('sets the state again after another user changed it', async () => {
    const id = await newSubscription();
    const parameters = { resource: 'subscription', subscription_id: idOf(id) };
    const pause = tool({ ...parameters, operation: 'pause' }, settings);
    const status = () => subscriptions().find((one) => asText(one.subscription_id) === id)?.status;
    await pause.call();
    expect(status()).toBe('P');
    await bench.run({ ...parameters, operation: 'resume' });
    expect(status()).toBe('A');
    expect((await pause.call()).text).not.toContain('DONE BEFORE');
    expect(status()).toBe('P');
  });

  test('sets the state to the latest value', async () => {
    const { call } = tool(
      { resource: 'plan', operation: 'update', plan_code: idOf('MONTHLY25'), recur_amt: said('price') },
      settings,
    );
    for (const price of ['49', '29', '49']) await call({ price });
    const plans = sandbox.control.state().plans as unknown as IDataObject[];
    expect(plans.filter(({ plan_code, status }) => plan_code === 'MONTHLY25' && status === 'E')).toMatchObject([
      { amt_tran: 49 },
    ]);
  });

  test('sends nothing if the state is already set', async () => {
    const { call } = tool(
      {
        resource: 'subscription',
        operation: 'pause',
        subscription_id: idOf(await newSubscription()),
        ifAlready: 'continue',
      },
      settings,
    );
    await call();
    const before = writes().length;
    await call();
    expect(writes()).toHaveLength(before);
  });
});

describe('a change that differs only in its wording', () => {
  test('sends another comment on a customer', async () => {
    const { call } = tool({
      ...{ resource: 'customer', operation: 'update', customer_id: idOf('CUST0001') },
      additionalFields: { comments: said('comments') },
    });
    for (const comments of ['Pays late', 'Pays on time']) await call({ comments });
    expect(customer()).toMatchObject({ comments: 'Pays on time' });
  });

  test('sends another number and date of a draft', async () => {
    const invoice_id = await draft(sandbox);
    const { call } = tool({
      resource: 'invoice',
      operation: 'update',
      invoice_id: idOf(invoice_id),
      invoice_number: said('number'),
    });
    for (const number of ['A-1', 'A-2']) await call({ number });
    const invoices = sandbox.control.state().invoices;
    expect(invoices.find((one) => asText(one.invoice_id) === asText(invoice_id))).toMatchObject({
      invoice_number: 'A-2',
    });
  });

  test('sends another address of the same recipient', async () => {
    const { call } = tool({
      ...{ resource: 'customerAddress', operation: 'create', customer_id: idOf('CUST0001') },
      ...{ shipping_first_name: 'Ana', shipping_last_name: 'Silva', shipping_city: said('city') },
    });
    const before = customer()?.shipping_addresses.length ?? 0;
    for (const city of ['Salem', 'Bend', 'Bend']) await call({ city });
    expect(customer()?.shipping_addresses).toHaveLength(before + 2);
  });
});
