import { KEYS, MERCHANT_ID } from './keys';

const CARD = '4929117853219876';
const ACCOUNT = '000987612345';

const tokenOf = (key: string) => Buffer.from(`${MERCHANT_ID}:${key}`).toString('base64');

/** Secrets of the credential: in no output, error or stored context, whatever the service says. */
export const SECRETS = [...KEYS.test, ...KEYS.production].flatMap((key) => [key, tokenOf(key)]);

/** The same and numbers, as a service may write them into its words. */
export const CANARIES = [
  KEYS.test[0],
  tokenOf(KEYS.test[0]),
  CARD,
  CARD.replace(/(.{4})(?=.)/g, '$1 '),
  CARD.replace(/(.{4})(?=.)/g, '$1\u2013'),
  CARD.replace(/(.{4})(?=.)/g, '$1\u00a0'),
  CARD.replace(/(.{4})(?=.)/g, '$1/'),
  ACCOUNT,
];

/** Runs of digits that may not come out, with whatever stands between them. */
const NUMBERS = [CARD, ACCOUNT].map((number) => new RegExp([...number.slice(0, -4)].join('[^0-9A-Za-z"]{0,3}')));

/** Which secrets a text holds. */
export const secretsIn = (text: string): string[] => [
  ...SECRETS.filter((secret) => text.includes(secret)),
  ...NUMBERS.filter((number) => number.test(text)).map(String),
];
