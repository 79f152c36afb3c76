/** Prefix that extends a sandbox ID to 18 digits. */
const BEFORE = '426351789012';
const OWN = 6;
/** Fields whose numbers the service assigns in sequence. */
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

/** Extends the IDs in a JSON text to 18 digits, which exceed a JavaScript number's precision. */
export const withLongIds = (json: string): string =>
  json.replace(
    SHORT,
    (_, name: string, quote: string, digits: string) =>
      `"${name}":${quote}${BEFORE}${digits.padStart(OWN, '0')}${quote}`,
  );

/** Replaces 18-digit IDs in a URL with the sandbox's short IDs. */
export const withoutLongIds = (url: string): string => url.replace(LONG, (_, digits: string) => String(Number(digits)));
