import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../credential';
import type { SandboxInUse } from './bench';
import { runWorkflow } from './harness';

/** Write that the node can look up in a list or a record of the service. */
export interface Write {
  operationId: string;
  /** Creates an invoice or customer if the write needs one, and returns the parameters. */
  parameters: () => Promise<INodeParameters>;
  agreement: string;
  where: string;
  /** Fields of the found record to include in the result. */
  shows: IDataObject;
  /** Message if the node doesn't find the record. */
  unseen?: string;
  /** Age in minutes at which a record no longer matches the write. Defaults to three minutes. */
  apart?: number;
}

export const idOf = (value: IDataObject[string]): INodeParameters[string] =>
  ({ __rl: true, mode: 'id', value }) as INodeParameters[string];

export async function draft(sandbox: SandboxInUse): Promise<IDataObject[string]> {
  const parameters: INodeParameters = {
    resource: 'invoice',
    operation: 'create',
    customer_id: idOf(sandbox.control.state().customers[0]?.customer_id),
    line_items: { item: [{ quantity: 1, description: 'Hour', unit_cost: 100 }] },
  };
  const { items } = await runWorkflow({ rows: [{}], parameters, credential: credentialFor(sandbox) });
  return items[0]?.json.invoice_id;
}

export const subscription = (sandbox: SandboxInUse, more: INodeParameters = {}): INodeParameters => ({
  resource: 'subscription',
  operation: 'create',
  customerSource: 'existing',
  customer_id: idOf(sandbox.control.state().customers[0]?.customer_id),
  termsSource: 'offPlan',
  plan_frequency: 3,
  recur_amt: 10,
  endsAfter: 'payments',
  plan_duration: 12,
  date_start: '2099-01-01',
  ...more,
});
export const payment = async (sandbox: SandboxInUse, more: INodeParameters = {}): Promise<INodeParameters> => ({
  resource: 'invoice',
  operation: 'addPayment',
  invoice_id: idOf(await draft(sandbox)),
  type: 'CASH',
  amt_paid: 5,
  date_payment: '2030-01-01',
  ...more,
});
async function removal(sandbox: SandboxInUse): Promise<INodeParameters> {
  const parameters = await payment(sandbox);
  const { items } = await runWorkflow({ rows: [{}], parameters, credential: credentialFor(sandbox) });
  const payment_id = idOf(items[0]?.json.payment_id);
  return { resource: 'invoice', operation: 'deletePayment', invoice_id: parameters.invoice_id, payment_id };
}
const webhook: INodeParameters = {
  resource: 'webhook',
  operation: 'create',
  notification_url: 'https://n8n.example.com/webhook/payments',
  label: 'Paid invoices',
  events: ['invoice_paid'],
};
export const cards: INodeParameters = {
  resource: 'accountUpdater',
  operation: 'submit',
  data: { item: [{ card_number: '4111111111111111', exp_date: '1230', card_id: 'member-17' }] },
};
/** Parameters that submit the saved card of the first customer to the account updater. */
export const savedCard = ({ control }: SandboxInUse): INodeParameters => ({
  resource: 'accountUpdater',
  operation: 'submitSaved',
  card_id: idOf(control.state().customers[0]?.billing_cards[0]?.card_id),
});
const account: INodeParameters = {
  resource: 'payee',
  operation: 'updateAccount',
  payee_id: idOf('9001'),
  tr_number: '021000021',
  dda_number: '000987653541',
  accountholder_name: 'Ana Silva',
};
const newPayee: INodeParameters = {
  resource: 'payee',
  operation: 'create',
  payee_name: 'Silva Bakery',
  payee_email: ['ana@example.com'],
  payee_account: { item: { tr_number: '021000021', dda_number: '000987653541' } },
};

export const authorized = ({ control }: SandboxInUse): string =>
  control.addCapturedSales({ count: 1, amountCents: 8000, authorizeOnly: true })[0] ?? '';

export const listedWrites = (sandbox: SandboxInUse): Write[] => [
  {
    operationId: 'addSubscription',
    parameters: async () => await Promise.resolve(subscription(sandbox)),
    agreement: 'same generated reference, not there before',
    where: 'the list of subscriptions',
    shows: { subscription_id: expect.any(String) as string, recur_amt: 10, status: 'A' },
  },
  {
    operationId: 'copyInvoice',
    parameters: async () => ({
      resource: 'invoice',
      operation: 'copy',
      invoice_id: idOf(await draft(sandbox)),
      invoice_number: 'COPY-1',
    }),
    agreement: 'same customer, total and number as the original invoice, within 2 minutes',
    where: 'the list of invoices',
    shows: { invoice_id: expect.any(String) as string, invoice_number: 'COPY-1', status: 'SAVED' },
  },
  {
    operationId: 'addInvoicePayment',
    parameters: async () => await payment(sandbox),
    agreement: 'same invoice, same kind of payment, same amount, same day, not there before',
    where: 'the list of payments',
    shows: { payment_id: expect.any(String) as string, amt_paid: 5, type: 'CASH' },
  },
  {
    operationId: 'addWebhook',
    parameters: async () => await Promise.resolve(webhook),
    agreement: 'same label, same address, same events, not there before',
    where: 'the list of webhooks',
    shows: {
      webhook_id: expect.any(String) as string,
      what_happened: expect.stringContaining('lost its security key') as string,
    },
  },
  {
    operationId: 'submitAccountUpdater',
    parameters: async () => await Promise.resolve(cards),
    agreement: 'same number of cards, not there before',
    where: 'the list of account updater requests',
    shows: { request_id: expect.any(String) as string, cnt_request: 1 },
  },
  {
    operationId: 'createAusRequest',
    parameters: async () => await Promise.resolve(savedCard(sandbox)),
    agreement: 'same cards, not there before',
    where: 'the list of account updater requests',
    shows: {
      request_id: expect.any(String) as string,
      cnt_request: 1,
      card_ids: [expect.any(String) as string],
      what_happened: 'Submitted 1 saved card to the account updater.',
    },
  },
  {
    operationId: 'capture',
    parameters: async () =>
      await Promise.resolve({
        resource: 'transaction',
        operation: 'capture',
        pg_id: idOf(authorized(sandbox)),
        amt_tran: 62.5,
      }),
    agreement: 'same authorization, same amount, within 2 minutes',
    where: 'the transaction report',
    shows: {
      pg_id: expect.any(String) as string,
      request_type: 'capture',
      amt_tran: 62.5,
      what_happened: 'Captured 62.50 USD of the authorization, voidable until the batch closes.',
    },
  },
  {
    operationId: 'recharge',
    parameters: async () =>
      await Promise.resolve({
        resource: 'transaction',
        operation: 'recharge',
        pg_id: idOf(authorized(sandbox)),
        amt_tran: 25.5,
      }),
    agreement: 'same earlier transaction, same amount, within 2 minutes',
    where: 'the transaction report',
    shows: {
      pg_id: expect.any(String) as string,
      request_type: 'recharge',
      amt_tran: 25.5,
      what_happened: 'Charged 25.50 USD again, voidable until the batch closes.',
    },
  },
  {
    operationId: 'voidTransaction',
    parameters: async () =>
      await Promise.resolve({
        resource: 'transaction',
        operation: 'void',
        pg_id: idOf(authorized(sandbox)),
      }),
    agreement: 'same transaction, voided, within 2 minutes',
    where: 'the transaction report',
    shows: {
      pg_id: expect.any(String) as string,
      request_type: 'void',
      what_happened: 'Voided the transaction, so its amount is no longer held or charged.',
    },
  },
];
export const recordWrites = (sandbox: SandboxInUse): Write[] => [
  {
    operationId: 'sendInvoice',
    parameters: async () => ({
      resource: 'invoice',
      operation: 'send',
      invoice_id: idOf(await draft(sandbox)),
      email_address: 'ana@example.com',
    }),
    agreement: 'the invoice was sent and is no longer a draft, on the same day',
    where: "the invoice's own record",
    shows: { status: 'OUTSTANDING', what_happened: expect.stringContaining("doesn't name the recipient") as string },
    apart: 2 * 24 * 60,
  },
  {
    operationId: 'cancelInvoice',
    parameters: async () => ({ resource: 'invoice', operation: 'cancel', invoice_id: idOf(await draft(sandbox)) }),
    agreement: 'the invoice is canceled, changed since the request',
    where: "the invoice's own record",
    shows: {
      status: 'CANCELED',
      what_happened: expect.stringMatching(/^Canceled invoice \d+ of customer \w+ permanently\.$/) as string,
    },
  },
  {
    operationId: 'removeInvoicePayment',
    parameters: async () => await removal(sandbox),
    agreement: 'the payment is not in the list of payments, listed before the request',
    where: 'the payments on the invoice',
    unseen: 'checked the payments on the invoice 3 times, and the record still existed',
    shows: { deleted: true, payment_id: expect.any(String) as string },
  },
  {
    operationId: 'updatePayeeAccount',
    parameters: async () => await Promise.resolve(account),
    agreement:
      'same last digits of the account number, same account type and holder if the item has them, within 2 minutes',
    where: "the payee's own record",
    shows: { dda_number: expect.stringMatching(/^x+3541$/) as string, accountholder_name: 'Ana Silva' },
  },
  {
    operationId: 'addPayee',
    parameters: async () => await Promise.resolve(newPayee),
    agreement:
      'same name, same email addresses and last digits of the account number if the item has them, not there before',
    where: 'the list of payees',
    shows: {
      payee_id: expect.any(String) as string,
      payee_account: expect.objectContaining({
        dda_number: expect.stringMatching(/^x+3541$/) as string,
      }) as IDataObject,
    },
  },
];
