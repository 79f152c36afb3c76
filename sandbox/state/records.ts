import type { DateTime } from 'luxon';

import type { PaymentSource } from '../core/cards';
import type { Part } from '../contract/types';

/** Records as the sandbox keeps them: amounts in cents, moments as DateTime, payment sources already masked. */

export interface StoredToken {
  card_id: string;
  merchant_id: string;
  source: PaymentSource;
  cardholder_name?: string;
  /** Set for single-use tokens: when they stop working (service.md#card-data). */
  expires?: DateTime;
}

export interface BillingCard {
  card_id: string;
  source: PaymentSource;
  primary: boolean;
  verified_date?: string;
  /** The billing_... fields as received. */
  details: Record<string, unknown>;
}

export interface Customer {
  rec_id: number;
  merchant_id: string;
  customer_id: string;
  customer_first_name?: string;
  customer_last_name?: string;
  customer_firm_name?: string;
  customer_phone?: string;
  customer_email?: string;
  reference_id?: string;
  comments?: string;
  developer_id?: string;
  shipping_addresses: Array<Record<string, unknown>>;
  billing_cards: BillingCard[];
}

export type RequestType = 'sale' | 'void' | 'refund' | 'capture';

/** Letters of tran_status (service.md#letters): captured, settled, deposit sent, voided, declined. */
export type TransactionStatus = 'C' | 'S' | 'P' | 'V' | 'D';

export interface Transaction {
  rec_id: number;
  pg_id: string;
  pg_id_linked?: string;
  merchant_id: string;
  request_type: RequestType;
  tran_status: TransactionStatus;
  time: DateTime;
  /** What was asked for. */
  requestedCents: number;
  /** What was approved; less than asked for after a partial approval, zero after a decline. */
  capturedCents: number;
  refundedCents: number;
  tran_currency: string;
  rcode: string;
  rmsg: string;
  auth_code?: string;
  source: PaymentSource;
  card_id?: string;
  purchase_id?: string;
  merch_ref_num?: string;
  profile_id?: string;
  payer: Payer;
  recurring: boolean;
  subscription_id?: number;
}

/** Who pays, as the transaction result's `customer` object names it (openapi.yaml#CheckoutCustomer). */
export interface Payer {
  customer_id?: string;
  customer_first_name?: string;
  customer_last_name?: string;
  customer_firm_name?: string;
  customer_email?: string;
  customer_phone?: string;
  billing_addr1?: string;
  billing_addr2?: string;
  billing_city?: string;
  billing_state?: string;
  billing_zip?: string;
  billing_country?: string;
}

export interface Invoice {
  invoice_id: number;
  merchant_id: string;
  status: 'SAVED' | 'OUTSTANDING' | 'PAID' | 'CANCELED';
  details: InvoiceDetails;
  link_id: string;
  subTotalCents: number;
  taxCents: number;
  paidCents: number;
  date_invoice: DateTime;
  date_due: DateTime;
  date_last_view?: DateTime;
  date_notice?: DateTime;
  created: DateTime;
  /** Counts every try to pay on the hosted page, so that a form sent twice is recognised. */
  hostedAttempts: number;
}

/** What an invoice says, as it was given. */
export interface InvoiceDetails {
  invoice_number?: string;
  customer_id: string;
  from_contact?: Part<'Contact'>;
  billing_contact?: Part<'Contact'>;
  profile_id?: string;
  tran_currency?: string;
  sales_tax?: Part<'SalesTax'>;
  payment_terms?: Part<'PaymentTerm'>;
  payment_terms_note?: string;
  footer_note?: string;
  checkout_settings?: Part<'CheckoutSettings'>;
  line_items?: Array<Part<'LineItem'>>;
}

export interface InvoicePayment {
  payment_id: number;
  invoice_id: number;
  merchant_id: string;
  type: 'CARD' | 'CASH' | 'CHECK' | 'OTHER';
  paidCents: number;
  description?: string;
  date_payment: DateTime;
  created: DateTime;
  tran_currency?: string;
  /** Empty for manual payments (openapi.yaml#InvoicePayment). */
  tran_status: TransactionStatus | '';
  pg_id?: string;
}

/** Mail with an invoice that came back. */
export interface Bounce {
  invoice_id: number;
  created: DateTime;
  recipient: string[];
}

/** A message the service would have sent: kept so that a test or a person can see it. */
export interface Notice {
  /** The invoice it is about. */
  invoice_id?: number;
  /** The webhook whose suspension it tells. */
  webhook_id?: number;
  sent: DateTime;
  email_address: string[];
  phone_number: number[];
}

export interface Checkout {
  checkout_id: string;
  merchant_id: string;
  details: CheckoutDetails;
  purchase_id: string;
  amountCents?: number;
  paidCents: number;
  tran_currency: string;
  created: DateTime;
  expires: DateTime;
  used: boolean;
  transactions: Transaction[];
  hostedAttempts: number;
}

/** Who is to pay, for what, and how the page behaves; as it was given. */
export interface CheckoutDetails {
  profile_id?: string;
  merch_ref_num?: string;
  customer_id?: string;
  customer_first_name?: string;
  customer_last_name?: string;
  customer_firm_name?: string;
  customer_email?: string;
  customer_phone?: number;
  /** The card that is replaced by what a person enters. */
  card_id?: string;
  billing_addr1?: string;
  billing_city?: string;
  billing_state?: string;
  billing_zip?: string;
  preferences?: Part<'CheckoutPreferences'>;
}

/** A version of a plan: once it has subscribers, its terms stay as they are. */
export interface Plan extends PlanTerms {
  plan_id: number;
  merchant_id: string;
  plan_code: string;
  /** Active, archived, deleted. */
  status: 'E' | 'A' | 'D';
  created: DateTime;
  modified: DateTime;
}

/** What a plan says. */
export interface PlanTerms {
  plan_name: string;
  plan_desc: string;
  plan_frequency: number;
  plan_duration: number;
  interval: number;
  amountCents: number;
  setupCents: number;
  /** Charges of the trial, before the others; 0 without one. */
  trial_duration: number;
  trialCents: number;
  tran_currency: string;
  profile_id?: string;
  bill_specific_day: boolean;
  /** 1 is Sunday. */
  day_of_week?: number;
  /** 32 is the last day of the month. */
  day_of_month?: number;
  month?: number;
  prorate_first_pmt: boolean;
  prorateCents: number;
  dba_suffix?: string;
}

export interface Subscription {
  subscription_id: number;
  merchant_id: string;
  customer_id: string;
  card_id: string;
  status: 'A' | 'D' | 'P' | 'C' | 'S';
  profile_id?: string;
  plan?: Plan;
  plan_desc?: string;
  plan_frequency: number;
  plan_duration: number;
  interval: number;
  amountCents: number;
  setupCents: number;
  created: DateTime;
  date_start: DateTime;
  date_next?: DateTime;
  date_end?: DateTime;
  /** First day of the recurring charges. */
  recur_start: DateTime;
  /** What is charged for the days until the first set day of the plan. */
  prorated?: { start: DateTime; cents: number };
  /** First and last charge of the trial, and what each comes to. */
  trial?: { start: DateTime; end: DateTime; cents: number };
  /** Charges that are made or skipped, those of the trial and what was prorated included. */
  cyclesDone: number;
  /** Declines in a row since the last charge that went through. */
  failedTries?: number;
  /** When it was suspended last. */
  suspended?: DateTime;
  tran_currency: string;
  pct_fee: number;
  purchase_id: string;
  setupSale?: Transaction;
  /** Whether no card of its own is charged but the customer's primary one. */
  followsPrimary: boolean;
  labels: Array<{ name: string; value: string }>;
}

export interface Settlement {
  rec_id_linked: number;
  merchant_id: string;
  batch_date: DateTime;
  reference_number: number;
  purchaseCount: number;
  purchaseCents: number;
  returnCents: number;
  discountCents: number;
  source_id: number;
}

export interface Payee {
  payee_id: string;
  merchant_id: string;
  payee_name: string;
  account?: { source: PaymentSource; type_id: string; accountholder_name?: string; verified: DateTime };
}

export interface UpdaterRequest {
  request_id: number;
  merchant_id: string;
  requested: DateTime;
  completes: DateTime;
  cardCount: number;
  updateCount: number;
  rejected_cards: Array<{ card_id: string; reject_reason: string }>;
  /** The cards that were taken, their numbers masked. */
  cards: Array<{ card_id: string; masked: string; exp_date: string }>;
}

export interface Webhook {
  webhook_id: number;
  merchant_id: string;
  settings: WebhookSettings;
  status: 'ACTIVE' | 'DISABLED' | 'SUSPENDED';
  security_key: string;
  /** The secret before a rotation, which signs too until the overlap ends. */
  former?: { key: string; until: DateTime };
  created: DateTime;
}

/** Where a webhook delivers to, what, and how; a person changes it at any time. */
export interface WebhookSettings {
  notification_url: string;
  label: string;
  /** None, or an empty list: it is told nothing. */
  events?: string[];
  /** Who is told when the webhook is suspended. */
  email_address?: string[];
  auth_type?: 'NONE' | 'BASIC';
  auth_settings?: Part<'WebhookAuthSetting'>;
}
