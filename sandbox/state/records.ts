import type { DateTime } from 'luxon';

import type { PaymentSource } from '../core/cards';
import type { Part } from '../contract/types';

/** Records in the sandbox's own format: amounts in cents, times as DateTime, and masked payment sources. */

export interface StoredToken {
  card_id: string;
  merchant_id: string;
  source: PaymentSource;
  cardholder_name?: string;
  /** Expiration of a single-use token (service.md#card-data). */
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

export type RequestType = 'sale' | 'auth' | 'force' | 'recharge' | 'void' | 'refund' | 'capture' | 'payment' | 'credit';

/** Values of tran_status (service.md#letters): approved, captured, settled, deposit sent, voided, expired, declined. */
export type TransactionStatus = 'A' | 'C' | 'S' | 'P' | 'V' | 'v' | 'D';

export interface Transaction {
  rec_id: number;
  pg_id: string;
  pg_id_linked?: string;
  merchant_id: string;
  request_type: RequestType;
  tran_status: TransactionStatus;
  time: DateTime;
  /** Requested amount. */
  requestedCents: number;
  /** Approved amount, or the captured part of it: less than requested after a partial approval, zero after a decline. */
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
  /** The closed batch with the transaction. */
  batch?: SettledBatch;
  isDisputed?: boolean;
}

/** The part of a batch that settled a transaction. */
export interface SettledBatch {
  /** Number of the record in the report of settled transactions. */
  rec_id: number;
  reference_number: number;
  closed: DateTime;
  /** Settled amount, below zero for a refund. */
  cents: number;
}

/** The payer, in the `customer` object of a transaction result (openapi.yaml#CheckoutCustomer). */
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
  /** Number of payment attempts on the hosted page. Identifies a form that is submitted twice. */
  hostedAttempts: number;
}

/** Content of an invoice as submitted. */
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

/** A bounced invoice email. */
export interface Bounce {
  invoice_id: number;
  created: DateTime;
  recipient: string[];
}

/** A message that the service would have sent, stored for tests and the state view. */
export interface Notice {
  /** The invoice in the message. */
  invoice_id?: number;
  /** The transaction of the receipt in the message. */
  pg_id?: string;
  /** The suspended webhook in the message. */
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

/** Payer, items and behavior of a checkout page, as submitted. */
export interface CheckoutDetails {
  profile_id?: string;
  merch_ref_num?: string;
  customer_id?: string;
  customer_first_name?: string;
  customer_last_name?: string;
  customer_firm_name?: string;
  customer_email?: string;
  customer_phone?: number;
  /** The card to replace with the entered details. */
  card_id?: string;
  billing_addr1?: string;
  billing_city?: string;
  billing_state?: string;
  billing_zip?: string;
  preferences?: Part<'CheckoutPreferences'>;
}

/** A version of a plan. The terms of a version with subscribers don't change. */
export interface Plan extends PlanTerms {
  plan_id: number;
  merchant_id: string;
  plan_code: string;
  /** Active (E), archived (A) or deleted (D). */
  status: 'E' | 'A' | 'D';
  created: DateTime;
  modified: DateTime;
}

/** Terms of a plan. */
export interface PlanTerms {
  plan_name: string;
  plan_desc: string;
  plan_frequency: number;
  plan_duration: number;
  interval: number;
  amountCents: number;
  setupCents: number;
  /** Number of trial charges before the recurring ones. 0 without a trial. */
  trial_duration: number;
  trialCents: number;
  tran_currency: string;
  profile_id?: string;
  bill_specific_day: boolean;
  /** Day of the week, where 1 is Sunday. */
  day_of_week?: number;
  /** Day of the month, where 32 is the last day. */
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
  /** Date of the first recurring charge. */
  recur_start: DateTime;
  /** Charge for the days before the plan's first set day. */
  prorated?: { start: DateTime; cents: number };
  /** First and last charge date of the trial, and the amount of each charge. */
  trial?: { start: DateTime; end: DateTime; cents: number };
  /** Number of charges made or skipped, including trial and prorated charges. */
  cyclesDone: number;
  /** Number of consecutive declines since the last successful charge. */
  failedTries?: number;
  /** Time of the last suspension. */
  suspended?: DateTime;
  tran_currency: string;
  pct_fee: number;
  purchase_id: string;
  setupSale?: Transaction;
  /** Whether the subscription charges the customer's current primary card instead of a card of its own. */
  followsPrimary: boolean;
  labels: Array<{ name: string; value: string }>;
}

/** A closed batch of one currency, as the batch and statement reports show it. */
export interface Settlement {
  rec_id_linked: number;
  merchant_id: string;
  tran_currency: string;
  batch_date: DateTime;
  reference_number: number;
  source_id: number;
  /** Totals of the transactions, one for each card type. */
  plans: PlanTotals[];
  reserve: Reserve;
  /** Deposit of the batch to the merchant's bank account, after it was sent. */
  deposit?: { rec_id: number; sent: DateTime };
}

/** Part of a batch that the service holds back, and earlier parts that it releases with the batch. */
export interface Reserve {
  heldCents: number;
  releasedCents: number;
  /** Amount held back from all batches of the currency. */
  balanceCents: number;
  isReleased: boolean;
}

/** Totals of a batch for one card type. */
export interface PlanTotals {
  plan_code: string;
  purchaseCount: number;
  purchaseCents: number;
  returnCount: number;
  returnCents: number;
  discountCents: number;
}

export interface Dispute {
  rec_id: number;
  merchant_id: string;
  incoming: DateTime;
  changed: DateTime;
  disputedCents: number;
  reason_code: string;
  reason_desc: string;
  /** Retrieval request (V) or chargeback (C). */
  data_type: 'V' | 'C';
  /** New (N) or under review (Q). */
  status: 'N' | 'Q';
  /** The disputed transaction, if the sandbox had one. */
  sale?: Transaction;
  answer?: 'accepted' | 'responded';
}

export interface Payee {
  payee_id: string;
  merchant_id: string;
  payee_name: string;
  payee_phone?: string;
  payee_email?: string[];
  payee_address?: Part<'PayeeAddressRequest'>;
  account?: { source: PaymentSource; type_id: string; accountholder_name?: string; verified: DateTime };
}

/** Account that the merchant holds for the benefit of another, identified by fbo_id. */
export interface PrepaidAccount {
  merchant_id: string;
  cents: number;
}

export interface UpdaterRequest {
  request_id: number;
  merchant_id: string;
  /** Origin of the cards: full numbers in the request, or card IDs. */
  method: 'harvest_api' | 'harvest_card_id';
  requested: DateTime;
  /** Time at which the request goes to the issuers. Until then it can be canceled. */
  queues: DateTime;
  completes: DateTime;
  isCanceled: boolean;
  cardCount: number;
  rejected_cards: Array<{ card_id: string; reject_reason: string }>;
  /** The accepted cards with masked numbers. */
  cards: UpdaterCard[];
}

export interface UpdaterCard {
  card_id: string;
  masked: string;
  exp_date: string | undefined;
}

export interface Webhook {
  webhook_id: number;
  merchant_id: string;
  settings: WebhookSettings;
  status: 'ACTIVE' | 'DISABLED' | 'SUSPENDED';
  security_key: string;
  /** Previous secret. Until the overlap ends, deliveries are also signed with this secret. */
  former?: { key: string; until: DateTime };
  created: DateTime;
}

/** Target address, subscribed events and format of a webhook. All of them can be changed later. */
export interface WebhookSettings {
  notification_url: string;
  label: string;
  /** A webhook with no events or an empty list receives nothing. */
  events?: string[];
  /** Recipients of the suspension notice. */
  email_address?: string[];
  auth_type?: 'NONE' | 'BASIC';
  auth_settings?: Part<'WebhookAuthSetting'>;
}
