import { readAccount, readCardNumber, type PaymentSource } from '../core/cards';
import { invoiceHandlers } from '../operations/invoice';
import { planHandlers } from '../operations/plan';
import { closeBatch, sendDeposits } from '../rules/batches';
import { billingCard } from '../rules/cards-of-customer';
import { newCustomer, saveCustomer } from '../rules/customers';
import { addPayment } from '../rules/invoices';
import { refundSale } from '../rules/refunds';
import { runSale } from '../rules/sales';
import type { Environment } from '../state/environment';
import type { Customer, Invoice } from '../state/records';
import { payerOf } from '../views/customers';
import { FIRST_NAMES, FIRMS, LAST_NAMES, STREETS, TEST_CARD_NUMBERS } from './sample-data';

const SEEDED_CUSTOMERS = 25;
const PREPAID_ACCOUNT = 7001;
const PREPAID_CENTS = 100_000;

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError('Sample data must not be empty');
  return item;
}

function testCard(index: number): PaymentSource {
  const source = readCardNumber(pick(TEST_CARD_NUMBERS, index), '1230');
  if (!source) throw new RangeError('A test card must pass its own checks');
  return source;
}

/** Adds customers with one card each. Returns their customer_ids, which continue the existing sequence. */
export function addCustomers(environment: Environment, count: number): string[] {
  return Array.from({ length: count }, () => addSampleCustomer(environment).customer_id);
}

function addSampleCustomer(environment: Environment): Customer {
  const number = environment.ids.nextNumber('sample customer');
  const first = pick(FIRST_NAMES, number);
  const last = pick(LAST_NAMES, number * 7);
  const address = {
    billing_first_name: first,
    billing_last_name: last,
    billing_addr1: `${100 + number} ${pick(STREETS, number)}`,
    billing_city: 'Springfield',
    billing_state: 'OR',
    billing_zip: '97477',
    billing_country: 'United States',
    billing_country_code: '840',
  };
  const customer = newCustomer(
    environment,
    environment.credentials.merchantId,
    {
      customer_id: `CUST${String(number).padStart(4, '0')}`,
      customer_first_name: first,
      customer_last_name: last,
      customer_firm_name: number % 3 === 0 ? pick(FIRMS, number) : undefined,
      customer_email: `${first}.${last}@example.com`.toLowerCase(),
      customer_phone: `1541555${String(number % 10_000).padStart(4, '0')}`,
      reference_id: `CRM-${number}`,
    },
    [billingCard(environment, testCard(number), address)],
  );
  return saveCustomer(environment, customer);
}

/** Sales to add to the sandbox. */
export interface SalesOrder {
  count: number;
  /** An amount below 100 cents selects the result of the sale, which may be a decline. */
  amountCents: number;
  customer_id?: string;
  authorizeOnly?: boolean;
}

/** Adds captured sales or uncaptured authorizations. Returns their pg_ids. */
export function addCapturedSales(
  environment: Environment,
  { count, amountCents, customer_id, authorizeOnly = false }: SalesOrder,
): string[] {
  const { merchantId } = environment.credentials;
  const customer =
    customer_id === undefined ? environment.customers[0] : environment.findCustomer(merchantId, customer_id);
  return Array.from({ length: count }, () => {
    const number = environment.ids.nextNumber('sample sale', 1001);
    const card = customer?.billing_cards[0];
    return runSale(environment, {
      request_type: authorizeOnly ? 'auth' : 'sale',
      merchantId,
      amountCents,
      source: card?.source ?? testCard(number),
      card_id: card?.card_id,
      purchase_id: `ORDER-${number}`,
      payer: customer && payerOf(customer),
    }).pg_id;
  });
}

function seedSales(environment: Environment): void {
  const sale = (index: number, amountCents: number): string[] =>
    addCapturedSales(environment, { count: 1, amountCents, customer_id: environment.customers[index]?.customer_id });
  const refunded = [...sale(0, 12_000), ...sale(1, 4_550)];
  for (let index = 2; index < 8; index += 1) sale(index, 1_999 + index * 1_050);
  closeBatch(environment);
  sendDeposits(environment);
  refunded.forEach((pg_id, index) => {
    const transaction = environment.transactions.get(pg_id);
    if (transaction) refundSale(environment, transaction, index === 0 ? 12_000 : 1_000);
  });
  for (let index = 8; index < 13; index += 1) sale(index, 2_500 + index * 300);
  closeBatch(environment);
  for (let index = 13; index < 20; index += 1) sale(index, 7_725 + index * 111);
  sale(20, 5);
}

function seedInvoices(environment: Environment): void {
  environment.customers.slice(0, 6).forEach((customer, index) => {
    invoiceHandlers.createInvoice({
      environment,
      path: undefined,
      query: undefined,
      recordFields: [],
      body: {
        invoice_number: `INV-${2001 + index}`,
        customer_id: customer.customer_id,
        billing_contact: {
          first_name: customer.customer_first_name,
          last_name: customer.customer_last_name,
          email_address: customer.customer_email,
        },
        line_items: [{ quantity: index + 1, description: 'Consulting hour', unit_cost: 85 }],
        sales_tax: { type: 'RATE', value: 8.25 },
        payment_terms: { type: 'DAYS', value: '30' },
      },
    });
  });
  const invoices = [...environment.invoices.values()];
  invoices.slice(2).forEach(({ invoice_id }) => {
    invoiceHandlers.sendInvoice({ environment, path: { invoice_id }, query: undefined, recordFields: [], body: {} });
  });
  invoices.slice(4).forEach((invoice, index) => payInCash(environment, invoice, index === 0));
}

function payInCash(environment: Environment, invoice: Invoice, inFull: boolean): void {
  const paidCents = inFull ? invoice.subTotalCents + invoice.taxCents : 10_000;
  addPayment(environment, invoice, {
    type: 'CASH',
    paidCents,
    date_payment: environment.clock.now(),
    tran_status: '',
  });
}

/** Adds the same sample records at every start. The sales are captured, settled, deposited, refunded or declined. */
export function seedEnvironment(environment: Environment): void {
  const merchant_id = environment.credentials.merchantId;
  addCustomers(environment, SEEDED_CUSTOMERS);
  seedSales(environment);
  seedInvoices(environment);
  const account = readAccount('021000021', '000123456789');
  environment.payees.set('9001', {
    payee_id: '9001',
    merchant_id,
    payee_name: 'Northside Cleaning',
    account: account && { source: account, type_id: 'K', verified: environment.clock.now() },
  });
  environment.prepaidAccounts.set(PREPAID_ACCOUNT, { merchant_id, cents: PREPAID_CENTS });
  planHandlers.addPlan({
    environment,
    path: undefined,
    query: undefined,
    recordFields: [],
    body: {
      plan_code: 'MONTHLY25',
      plan_name: 'Monthly support',
      plan_desc: 'Support by e-mail, billed monthly',
      plan_frequency: 3,
      plan_duration: -1,
      amt_tran: 25,
    },
  });
}
