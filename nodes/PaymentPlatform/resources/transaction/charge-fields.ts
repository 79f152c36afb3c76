import { currency, customerId, gatewayFields, IN_DOLLARS, savedCard } from '../../fields/common';
import { boolean, choice } from '../../fields/kinds/choice';
import { composite } from '../../fields/kinds/composite';
import { section } from '../../fields/kinds/group';
import { emailList } from '../../fields/kinds/multiple-values';
import { amount, integer } from '../../fields/kinds/number';
import { email, text } from '../../fields/kinds/text';
import type { Field } from '../../fields/types';
import { OWNER } from '../../model/identity';
import { GatewayTransactionRequest as body } from '../../wire/schemas';
import { billingStreetAndZip, saveCard } from '../card/payment-source';
import { customerDetails } from './customer-details';

export const chargeAmount = (hint: string): Field =>
  amount({ ...body.amt_tran, label: 'Amount', description: 'Total amount, e.g. 12.50', hint, required: true });

const purchaseId = text({
  ...body.purchase_id,
  label: 'Purchase ID',
  notIdentifying: true,
  description: 'Your order number. With this number, the node can recognize a charge that already exists.',
  placeholder: 'e.g. ORDER-1001',
});

const referenceNumber = text({
  ...body.merch_ref_num,
  label: 'Merchant Reference Number',
  notIdentifying: true,
  description:
    'Additional reference. If empty, the node generates a reference. Each attempt sends the same reference, so the node can find the charge if the response is lost.',
});

export const orderChannel = (): Field =>
  choice({
    ...body.moto_ecomm_ind,
    label: 'Order Channel',
    notIdentifying: true,
    description: 'Channel of the order, e.g. online, by phone or recurring. Defaults to Online.',
    options: [
      { name: 'Online', value: '7' },
      { name: 'Online With 3-D Secure', value: '5' },
      { name: 'Online With 3-D Secure (Merchant Only)', value: '6' },
      { name: 'By Mail or Phone', value: '1' },
      { name: 'In Person (Card Present)', value: '0' },
      { name: 'Recurring Payment', value: '2' },
      { name: 'Installment', value: '3' },
    ],
  });

const verification = (): Field =>
  section({
    name: 'billingAddress',
    label: 'Billing Address and Contact',
    add: 'Add Address Field',
    fields: [
      text({
        ...body.cardholder_name,
        label: 'Cardholder Name',
        isName: true,
        notIdentifying: false,
        description: 'Name of the card or bank account holder',
        placeholder: 'e.g. Ana Silva',
      }),
      ...billingStreetAndZip(),
      email({
        ...body.customer_email,
        label: 'Email',
        notIdentifying: false,
        description: 'Email address of the customer',
        placeholder: 'e.g. ana@example.com',
      }),
      text({
        ...body.client_ip,
        label: 'Customer IP Address',
        notIdentifying: true,
        description: 'IP address of the customer',
      }),
    ],
  });

const receipt = (): Field =>
  section({
    name: 'receipt',
    label: 'Receipt and Statement',
    add: 'Add Receipt Field',
    fields: [
      boolean({
        ...body.email_receipt,
        label: 'Email Receipt',
        description: 'Whether to email a receipt to the customer',
        default: true,
      }),
      emailList({
        ...body.email_address,
        label: 'Email Addresses',
        description: 'Comma-separated email addresses that receive the receipt',
      }),
      text({
        ...body.dba_name,
        label: 'Statement Name',
        isName: true,
        notIdentifying: true,
        description: "Business name on the customer's statement",
      }),
      choice({
        ...body.dba_suffix,
        label: 'Statement Suffix',
        notIdentifying: true,
        description: "Text after the business name on the customer's statement",
        options: [
          { name: 'End of Discount', value: 'END DSCNT' },
          { name: 'End of Offer', value: 'END OFFER' },
          { name: 'End of Promotion', value: 'END PROMO' },
          { name: 'End of Trial', value: 'END TRIAL' },
        ],
      }),
    ],
  });

const fees = (): Field =>
  section({
    name: 'fees',
    label: 'Fees and Prepaid Account',
    add: 'Add Fee Field',
    fields: [
      amount({
        ...body.amt_convenience_fee,
        label: 'Convenience Fee',
        description: "Convenience fee, e.g. 1.50. This node's limits count the fee as part of the amount.",
        zero: true,
      }),
      amount({
        ...body.amt_tran_fee,
        label: 'Transaction Fee',
        description: "Fee or surcharge, e.g. 1.50. This node's limits count the fee as part of the amount.",
        zero: true,
      }),
      amount({
        ...body.amt_fbo,
        label: 'Amount for Prepaid Account',
        description: 'Portion of the amount that is added to a prepaid account',
      }),
      integer({
        ...body.fbo_id,
        label: 'Prepaid Account ID',
        description: 'ID of the prepaid account (fbo_id) that receives part of the amount',
      }),
    ],
  });

const levelData = (): Field =>
  section({
    name: 'levelData',
    label: 'Level 2 and 3 Data',
    add: 'Add Level 2 or 3 Field',
    fields: [
      amount({
        ...body.amt_tax,
        label: 'Sales Tax Included',
        description:
          'Sales tax that the amount includes, e.g. 2.10. Level 2 and 3 data require the tax and a purchase ID.',
        zero: true,
      }),
      text({
        ...body.customer_code,
        label: 'Customer Code',
        notIdentifying: true,
        description: "Customer's reference, such as a purchase order number",
      }),
      text({
        ...body.line_items,
        label: 'Level 3 Lines',
        notIdentifying: true,
        description:
          "JSON array of line items, as text. Contact the payment service's support for the list of line item fields.",
        rows: 4,
      }),
    ],
  });

const authentication = (): Field =>
  section({
    name: 'threeDSecure',
    label: '3-D Secure and Chip Data',
    add: 'Add 3-D Secure Field',
    fields: [
      text({
        ...body.cavv_3ds,
        label: '3-D Secure CAVV',
        notIdentifying: true,
        description: 'Cardholder authentication value (CAVV)',
      }),
      text({
        ...body.xid_3ds,
        label: '3-D Secure Transaction ID',
        notIdentifying: true,
        description: 'Transaction ID (XID) of the authentication',
      }),
      text({
        ...body.mc_ucaf_data,
        label: 'Mastercard UCAF Data',
        notIdentifying: true,
        description: 'Authentication value (UCAF data) of a Mastercard',
      }),
      text({
        ...body.mc_ucaf_ind,
        label: 'Mastercard UCAF Indicator',
        notIdentifying: true,
        description: 'UCAF collection indicator for Mastercard',
      }),
      text({
        ...body.emv_tran_id,
        label: 'Chip Transaction ID',
        notIdentifying: true,
        description: 'ID of a transaction that a chip reader started',
      }),
    ],
  });

/** Optional fields, grouped by purpose (openapi.yaml#GatewayTransactionRequest). */
export const chargeAdditional = (): Field[] => [
  purchaseId,
  referenceNumber,
  currency(body.tran_currency, { fallback: IN_DOLLARS }),
  orderChannel(),
  saveCard(body.tokenize),
  boolean({
    ...body.partial_auth,
    label: 'Allow Partial Approval',
    notIdentifying: true,
    description: 'Whether the issuer may approve only part of the amount, e.g. the balance of a prepaid card',
    default: true,
  }),
  integer({
    ...body.duplicate_seconds,
    label: 'Duplicate Window',
    hint: 'In seconds',
    notIdentifying: true,
    description:
      'Number of seconds during which the service refuses a second transaction with the same card or bank account. Defaults to the setting of your account.',
    placeholder: 'e.g. 300',
  }),
  verification(),
  customerDetails(),
  receipt(),
  levelData(),
  fees(),
  authentication(),
  ...gatewayFields(body),
];

/** `owner` is a setting with the customer of the saved card. */
export const savedSource = (): { customer: Field; card: Field; owner: Field } => {
  const card = savedCard(body.card_id, {
    description:
      "Card or bank account to use. Defaults to the customer's primary payment method. Select the customer first, or enter a card ID from Card > Tokenize.",
  });
  const customer = customerId(body.customer_id, {
    description:
      'Customer who owns the card or bank account. Search by name, email address or reference, or enter the ID.',
  });
  return {
    card,
    // A request must contain exactly one payment method, so a card replaces the customer.
    customer: composite(customer, [customer], ({ read, look }) => {
      const given = read(customer);
      return look(card) === undefined ? given : undefined;
    }),
    owner: composite({ ...customer, name: OWNER, place: 'node' }, [], ({ look }) => look(customer)),
  };
};
