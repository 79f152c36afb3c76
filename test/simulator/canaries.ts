import { KEYS, MERCHANT_ID } from './keys';

const CARD = '4929117853219876';
const ACCOUNT = '000987612345';

const tokenOf = (key: string) => Buffer.from(`${MERCHANT_ID}:${key}`).toString('base64');

/** API keys and tokens that no output, error or stored context may contain. */
export const SECRETS = [...KEYS.test, ...KEYS.production].flatMap((key) => [key, tokenOf(key)]);

/** Returns secrets that a service might repeat in a response. */
export function canariesOf(authorization: string): string[] {
  const token = authorization.replace(/^Basic /, '');
  const [, key = ''] = Buffer.from(token, 'base64').toString('utf8').split(':');
  return [key, token, CARD, ...[' ', '\u2013', '\u00a0', '/'].map((between) => grouped(CARD, between)), ACCOUNT];
}

const grouped = (number: string, between: string) => number.replace(/(.{4})(?=.)/g, `$1${between}`);

/** Patterns that match a card or account number with any separators between the digits. */
const NUMBERS = [CARD, ACCOUNT].map((number) => new RegExp([...number.slice(0, -4)].join('[^0-9A-Za-z"]{0,3}')));

export const secretsIn = (text: string): string[] => [
  ...SECRETS.filter((secret) => text.includes(secret)),
  ...NUMBERS.filter((number) => number.test(text)).map(String),
];
