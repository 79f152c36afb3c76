import type { DateTime } from 'luxon';

import type { PaymentSource } from '../core/cards';
import type { Part } from '../contract/types';

/** Card or bank account that a token refers to. Records contain amounts in cents and masked numbers. */

export interface StoredToken {
  card_id: string;
  merchant_id: string;
  source: PaymentSource;
  cardholder_name?: string;
  expires?: DateTime;
}

export interface BillingCard {
  card_id: string;
  source: PaymentSource;
  primary: boolean;
  verified_date?: string;
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

/** tran_status codes: approved, captured, settled, deposit sent, voided, expired and declined (service.md#letters). */
export type TransactionStatus = 'A' | 'C' | 'S' | 'P' | 'V' | 'v' | 'D';

export interface Transaction {
  rec_id: number;
  pg_id: string;
  pg_id_linked?: string;
  merchant_id: string;
  request_type: RequestType;
  tran_status: TransactionStatus;
  time: DateTime;
  requestedCents: number;
  /** Captured or authorized amount in cents. 0 for a declined transaction. */
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
  /** Fees in the currency's main unit, which the transaction report shows beside the amount. */
  fees?: { amt_convenience_fee?: number; amt_tran_fee?: number };
  batch?: SettledBatch;
  isDisputed?: boolean;
}

export interface SettledBatch {
  rec_id: number;
  reference_number: number;
  closed: DateTime;
  /** Settled amount in cents. A refund has a negative amount. */
  cents: number;
}

/** Payer of a transaction (openapi.yaml#CheckoutCustomer). */
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
  hostedAttempts: number;
}

/** Submitted content of an invoice. */
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
  /** Status of the card payment. Empty for a manual payment (openapi.yaml#InvoicePayment). */
  tran_status: TransactionStatus | '';
  pg_id?: string;
}

export interface Bounce {
  invoice_id: number;
  created: DateTime;
  recipient: string[];
}

/** Message that the service would send. */
export interface Notice {
  invoice_id?: number;
  pg_id?: string;
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

/** Submitted payer and preferences of a checkout page. */
export interface CheckoutDetails {
  profile_id?: string;
  merch_ref_num?: string;
  customer_id?: string;
  customer_first_name?: string;
  customer_last_name?: string;
  customer_firm_name?: string;
  customer_email?: string;
  customer_phone?: number;
  card_id?: string;
  billing_addr1?: string;
  billing_city?: string;
  billing_state?: string;
  billing_zip?: string;
  preferences?: Part<'CheckoutPreferences'>;
}

/** Version of a plan. The terms of a version with subscribers never change. */
export interface Plan extends PlanTerms {
  plan_id: number;
  merchant_id: string;
  plan_code: string;
  /** Active (E), archived (A) or deleted (D). */
  status: 'E' | 'A' | 'D';
  created: DateTime;
  modified: DateTime;
}

export interface PlanTerms {
  plan_name: string;
  plan_desc: string;
  plan_frequency: number;
  plan_duration: number;
  interval: number;
  amountCents: number;
  setupCents: number;
  /** Number of trial charges before the first recurring charge. */
  trial_duration: number;
  trialCents: number;
  tran_currency: string;
  profile_id?: string;
  bill_specific_day: boolean;
  /** Day of the week. Sunday is 1. */
  day_of_week?: number;
  /** Day of the month. 32 means the last day. */
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
  recur_start: DateTime;
  /** Charge for the days before the plan's first billing day. */
  prorated?: { start: DateTime; cents: number };
  trial?: { start: DateTime; end: DateTime; cents: number };
  /** Number of completed or skipped charges, including trial and prorated charges. */
  cyclesDone: number;
  failedTries?: number;
  suspended?: DateTime;
  tran_currency: string;
  pct_fee: number;
  purchase_id: string;
  setupSale?: Transaction;
  /** Whether the subscription charges the customer's current primary card. */
  followsPrimary: boolean;
  labels: Array<{ name: string; value: string }>;
}

/** Closed batch in one currency. */
export interface Settlement {
  rec_id_linked: number;
  merchant_id: string;
  tran_currency: string;
  batch_date: DateTime;
  reference_number: number;
  source_id: number;
  plans: PlanTotals[];
  reserve: Reserve;
  deposit?: { rec_id: number; sent: DateTime };
}

/** Amount that the service withholds from a batch, and earlier amounts that it releases. */
export interface Reserve {
  heldCents: number;
  releasedCents: number;
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
  /** Disputed transaction. Undefined for a test dispute without a transaction. */
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

/** Account that the merchant holds for another party. */
export interface PrepaidAccount {
  merchant_id: string;
  cents: number;
}

export interface UpdaterRequest {
  request_id: number;
  merchant_id: string;
  /** Whether the request contained card numbers (harvest_api) or card IDs (harvest_card_id). */
  method: 'harvest_api' | 'harvest_card_id';
  requested: DateTime;
  /** Deadline for canceling the account updater request. */
  queues: DateTime;
  completes: DateTime;
  isCanceled: boolean;
  cardCount: number;
  rejected_cards: Array<{ card_id: string; reject_reason: string }>;
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
  /** Previous secret, which also signs deliveries until the overlap ends. */
  former?: { key: string; until: DateTime };
  created: DateTime;
}

/** Webhook settings that a request can change. */
export interface WebhookSettings {
  notification_url: string;
  label: string;
  /** Subscribed events. Without events, the webhook receives no deliveries. */
  events?: string[];
  email_address?: string[];
  auth_type?: 'NONE' | 'BASIC';
  auth_settings?: Part<'WebhookAuthSetting'>;
}
