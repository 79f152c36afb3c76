import { KEYS, MERCHANT_ID } from './keys';

const CARD = '4929117853219876';
const ACCOUNT = '000987612345';

const tokenOf = (key: string) => Buffer.from(`${MERCHANT_ID}:${key}`).toString('base64');

/**
 * Secrets of the credentials. No output, error or stored context may contain a secret, even if the service's response
 * does.
 */
export const SECRETS = [...KEYS.test, ...KEYS.production].flatMap((key) => [key, tokenOf(key)]);

/**
 * Returns secrets that a service might repeat in a response: the credential of the request, and card and account
 * numbers in several notations.
 * @param authorization header of the request.
 */
export function canariesOf(authorization: string): string[] {
  const token = authorization.replace(/^Basic /, '');
  const [, key = ''] = Buffer.from(token, 'base64').toString('utf8').split(':');
  return [key, token, CARD, ...[' ', '\u2013', '\u00a0', '/'].map((between) => grouped(CARD, between)), ACCOUNT];
}

const grouped = (number: string, between: string) => number.replace(/(.{4})(?=.)/g, `$1${between}`);

/** Patterns that match a card or account number with any separators between the digits. */
const NUMBERS = [CARD, ACCOUNT].map((number) => new RegExp([...number.slice(0, -4)].join('[^0-9A-Za-z"]{0,3}')));

/** Returns the secrets that a text contains. */
export const secretsIn = (text: string): string[] => [
  ...SECRETS.filter((secret) => text.includes(secret)),
  ...NUMBERS.filter((number) => number.test(text)).map(String),
];
