/** Transaction statuses, most important first (openapi.yaml#TransactionRequestRecord). */

export const transactionStatuses = [
  { name: 'Captured', value: 'C' },
  { name: 'Settled', value: 'S' },
  { name: 'Deposit Sent', value: 'P' },
  { name: 'Settled and Funded by the Issuer', value: 'N' },
  { name: 'Approved (Not Captured)', value: 'A' },
  { name: 'Held', value: 'H' },
  { name: 'Declined by the Issuer', value: 'D' },
  { name: 'Failed for Another Reason', value: 'F' },
  { name: 'Rejected', value: 'R' },
  { name: 'Voided by the Merchant', value: 'V' },
  { name: 'Voided by the System', value: 'v' },
  { name: 'Canceled', value: 'K' },
];

export const requestTypes = [
  { name: 'Sale', value: 'sale' },
  { name: 'Refund', value: 'refund' },
  { name: 'Void', value: 'void' },
  { name: 'Capture', value: 'capture' },
  { name: 'Forced Capture', value: 'force' },
  { name: 'Authorization', value: 'auth' },
  { name: 'Repeated Charge', value: 'recharge' },
  { name: 'Credit', value: 'credit' },
  { name: 'Verification', value: 'verify' },
];

export const cardTypes = [
  { name: 'Visa', value: 'VS' },
  { name: 'Mastercard', value: 'MC' },
  { name: 'American Express', value: 'AM' },
  { name: 'Discover', value: 'DS' },
  { name: 'JCB', value: 'JC' },
  { name: 'PayPal', value: 'PP' },
  { name: 'Bank Account (ACH)', value: 'AP' },
];
