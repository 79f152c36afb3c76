import { KEYS, MERCHANT_ID } from './keys';

const CARD = '4929117853219876';
const ACCOUNT = '000987612345';

const tokenOf = (key: string) => Buffer.from(`${MERCHANT_ID}:${key}`).toString('base64');

/** Secrets of the credentials: in no output, error or stored context, whatever the service says. */
export const SECRETS = [...KEYS.test, ...KEYS.production].flatMap((key) => [key, tokenOf(key)]);

/**
 * What a careless service writes into its words: the secrets by which a request came, and numbers in all spellings.
 * @param authorization the header of the request.
 */
export function canariesOf(authorization: string): string[] {
  const token = authorization.replace(/^Basic /, '');
  const [, key = ''] = Buffer.from(token, 'base64').toString('utf8').split(':');
  return [key, token, CARD, ...[' ', '\u2013', '\u00a0', '/'].map((between) => grouped(CARD, between)), ACCOUNT];
}

const grouped = (number: string, between: string) => number.replace(/(.{4})(?=.)/g, `$1${between}`);

/** Runs of digits that may not come out, with whatever stands between them. */
const NUMBERS = [CARD, ACCOUNT].map((number) => new RegExp([...number.slice(0, -4)].join('[^0-9A-Za-z"]{0,3}')));

/** Which secrets a text holds. */
export const secretsIn = (text: string): string[] => [
  ...SECRETS.filter((secret) => text.includes(secret)),
  ...NUMBERS.filter((number) => number.test(text)).map(String),
];
