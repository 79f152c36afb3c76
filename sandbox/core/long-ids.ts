/** Prefix that extends the sandbox's IDs to 18 digits, the length of IDs in an old account. */
const BEFORE = '426351789012';
/** Number of digits after the prefix. */
const OWN = 6;
/** Fields with IDs that the service counts (openapi.yaml). Webhook IDs stay short. */
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

/** Lengthens the IDs in JSON text beyond the precision of a JavaScript number. */
export const withLongIds = (json: string): string =>
  json.replace(
    SHORT,
    (_, name: string, quote: string, digits: string) =>
      `"${name}":${quote}${BEFORE}${digits.padStart(OWN, '0')}${quote}`,
  );

/** Replaces the long IDs in an address by the sandbox's own IDs. */
export const withoutLongIds = (url: string): string => url.replace(LONG, (_, digits: string) => String(Number(digits)));
