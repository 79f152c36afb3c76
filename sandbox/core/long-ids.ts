/** What stands before an ID of this sandbox once it has counted for as long as the service has: 18 digits in all. */
const BEFORE = '426351789012';
/** Digits of an ID behind them. */
const OWN = 6;
/** IDs that the service counts (openapi.yaml); those of webhooks stay short. */
const COUNTED = [
  'cb_ref_num_assoc',
  'invoice_id',
  'payment_id',
  'plan_id',
  'qp_id',
  'rec_id',
  'rec_id_linked',
  'reference_number',
  'request_id',
  'shipping_id',
  'source_id',
  'subscription_id',
];

const SHORT = new RegExp(String.raw`"(${COUNTED.join('|')})":("?)(\d{1,${OWN}})\2(?=[,}])`, 'g');
const LONG = new RegExp(String.raw`${BEFORE}(\d{${OWN}})`, 'g');

/** JSON text with long IDs, of more digits than a number of JavaScript keeps. */
export const withLongIds = (json: string): string =>
  json.replace(
    SHORT,
    (_, name: string, quote: string, digits: string) =>
      `"${name}":${quote}${BEFORE}${digits.padStart(OWN, '0')}${quote}`,
  );

/** An address with the IDs by which the sandbox knows its records. */
export const withoutLongIds = (url: string): string => url.replace(LONG, (_, digits: string) => String(Number(digits)));
