import {
  accountNumber,
  accountType,
  cardNumber,
  expirationDate,
  routingNumber,
  securityCode,
} from '../../../../nodes/PaymentPlatform/fields/kinds/card';
import { boolean, choice } from '../../../../nodes/PaymentPlatform/fields/kinds/choice';
import { currency, customerId, gatewayFields } from '../../../../nodes/PaymentPlatform/fields/common';
import { contact } from '../../../../nodes/PaymentPlatform/fields/kinds/contact';
import { emailList, nameValuePairs } from '../../../../nodes/PaymentPlatform/fields/kinds/multiple-values';
import { amount, integer } from '../../../../nodes/PaymentPlatform/fields/kinds/number';
import { madeReference, text } from '../../../../nodes/PaymentPlatform/fields/kinds/text';
import { section } from '../../../../nodes/PaymentPlatform/fields/kinds/group';
import * as wire from '../../../../nodes/PaymentPlatform/wire/operations';
import type { Operation } from '../../../../nodes/PaymentPlatform/model/types';

const words = (name: string, label: string, maxLength: number, more: object = {}) =>
  text({ name, label, description: label, maxLength, notIdentifying: false, ...more });
const money = (name: string, label: string) => amount({ name, label, description: label });

const gateway = gatewayFields(wire.refund.body);
const oneOf = (...names: string[]) => gateway.filter(({ name }) => names.includes(name));

/** Sale with 53 fields in several sections. */
export const sale: Operation = {
  value: 'sale',
  name: 'Charge',
  action: 'Charge a card or bank account',
  description: 'Charge a card or bank account',
  request: { method: 'POST', path: '/pg/refund/{pgIdOrig}', family: 'gateway', effect: 'writesOnce' },
  fields: [
    money('amt_tran', 'Amount'),
    words('card_id', 'Card ID', 32),
    customerId(wire.createInvoice.body.customer_id, { description: 'Customer', required: false }),
    madeReference({ name: 'purchase_id', label: 'Purchase ID', description: 'Your own reference', maxLength: 25 }),
    section({
      name: 'card',
      label: 'Card',
      fields: [
        cardNumber(wire.tokenize.body.card_number),
        expirationDate(wire.tokenize.body.exp_date),
        securityCode(wire.tokenize.body.cvv2),
        words('cardholder_name', 'Cardholder Name', 64),
        words('card_swipe', 'Card Swipe', 79, { secret: true }),
        words('payload_walletA_pay', 'Wallet A Payload', 9999, { secret: true }),
        words('payload_walletB_pay', 'Wallet B Payload', 9999, { secret: true }),
        words('emv_tran_id', 'EMV Transaction ID', 36),
        boolean({ name: 'tokenize', label: 'Save the Card', description: 'Whether to save the card', default: true }),
      ],
    }),
    section({
      name: 'bankAccount',
      label: 'Bank Account',
      fields: [
        routingNumber(wire.tokenize.body.tr_number),
        accountNumber(wire.tokenize.body.dda_number),
        accountType(wire.tokenize.body.type_id),
      ],
    }),
    section({
      name: 'address',
      label: 'Billing Address',
      fields: [
        words('avs_address', 'Street', 20, { notIdentifying: true }),
        words('avs_zip', 'ZIP Code', 9, { notIdentifying: true }),
        words('client_ip', 'Customer IP Address', 45, { notIdentifying: true }),
      ],
    }),
    section({
      name: 'threeDSecure',
      label: '3-D Secure',
      fields: [
        words('cavv_3ds', 'CAVV', 28),
        words('xid_3ds', 'XID', 28),
        words('mc_ucaf_data', 'UCAF Data', 32),
        words('mc_ucaf_ind', 'UCAF Indicator', 1),
      ],
    }),
    section({
      name: 'amounts',
      label: 'Taxes and Fees',
      fields: [
        money('amt_tax', 'Tax'),
        money('amt_convenience_fee', 'Convenience Fee'),
        money('amt_tran_fee', 'Transaction Fee'),
        money('amt_fbo', 'Amount for the Benefit Of'),
        integer({ name: 'fbo_id', label: 'Benefit Of ID', description: 'Benefit Of ID' }),
        words('customer_code', 'Customer Code', 17),
        nameValuePairs({ name: 'line_items', label: 'Line Items', description: 'What was bought' }),
      ],
    }),
    section({
      name: 'receipt',
      label: 'Receipt and Statement',
      fields: [
        boolean({ name: 'email_receipt', label: 'Email Receipt', description: 'Whether to send a receipt' }),
        emailList({ name: 'email_address', label: 'Email Addresses', description: 'Who gets a receipt' }),
        words('customer_email', 'Customer Email', 64),
        words('dba_name', 'Name on the Statement', 21, { notIdentifying: true }),
        choice({
          name: 'dba_suffix',
          label: 'Suffix on the Statement',
          description: 'Suffix',
          options: ['END DSCNT', 'END OFFER', 'END PROMO', 'END TRIAL'].map((value) => ({ name: value, value })),
        }),
      ],
    }),
    section({
      name: 'gateway',
      label: 'Gateway',
      fields: oneOf('merchant_id', 'profile_id', 'loc_id', 'developer_id', 'vendor_id', 'session_id', 'user_id'),
    }),
  ],
  additional: [
    contact({
      ...wire.createInvoice.body.billing_contact,
      name: 'customer',
      label: 'New Customer',
      description: 'Who pays',
      needed: ['email_address'],
    }),
    currency(wire.createInvoice.body.tran_currency),
    words('auth_code', 'Authorization Code', 6),
    words('merch_ref_num', 'Merchant Reference Number', 128, { notIdentifying: true }),
    words('pg_id', 'Transaction ID', 32),
    integer({ name: 'subscription_id', label: 'Subscription ID', description: 'Subscription' }),
    integer({ name: 'duplicate_seconds', label: 'Duplicate Seconds', description: 'Seconds', most: 99_999 }),
    boolean({ name: 'partial_auth', label: 'Allow Partial', description: 'Whether a part may be approved' }),
    choice({
      name: 'moto_ecomm_ind',
      label: 'Order Channel',
      description: 'How',
      options: ['0', '1', '2', '3', '5', '6', '7'].map((value) => ({ name: value, value })),
      default: '7',
    }),
    ...oneOf('echo_fields', 'report_data'),
  ],
};
