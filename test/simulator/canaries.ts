import { KEYS, MERCHANT_ID } from './keys';

const CARD = '4929117853219876';
const ACCOUNT = '000987612345';

const tokenOf = (key: string) => Buffer.from(`${MERCHANT_ID}:${key}`).toString('base64');

/** Secrets of the credentials. No output, error or stored context may contain them, even if the service echoes them. */
export const SECRETS = [...KEYS.test, ...KEYS.production].flatMap((key) => [key, tokenOf(key)]);

/**
 * Returns secrets that a careless service might echo: the credentials of a request, and numbers in all notations.
 * @param authorization header of the request.
 */
export function canariesOf(authorization: string): string[] {
  const token = authorization.replace(/^Basic /, '');
  const [, key = ''] = Buffer.from(token, 'base64').toString('utf8').split(':');
  return [key, token, CARD, ...[' ', '\u2013', '\u00a0', '/'].map((between) => grouped(CARD, between)), ACCOUNT];
}

const grouped = (number: string, between: string) => number.replace(/(.{4})(?=.)/g, `$1${between}`);

/** Digits that must not be output, with any separators between them. */
const NUMBERS = [CARD, ACCOUNT].map((number) => new RegExp([...number.slice(0, -4)].join('[^0-9A-Za-z"]{0,3}')));

/** Returns the secrets in a text. */
export const secretsIn = (text: string): string[] => [
  ...SECRETS.filter((secret) => text.includes(secret)),
  ...NUMBERS.filter((number) => number.test(text)).map(String),
];
