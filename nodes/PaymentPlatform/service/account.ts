import { createHash } from 'node:crypto';

import { NodeOperationError, type ICredentialDataDecryptedObject, type INode } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { CREDENTIAL_SECRET } from '../messages/catalogue';
import type { Account } from '../model/types';

export const CREDENTIAL_NAME = 'paymentPlatformApi';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** A valid URL uses https, or http on loopback, and has no user name, query or fragment. */
export function baseUrlProblem(baseUrl: string, secret: string = CREDENTIAL_SECRET): string | undefined {
  if (!URL.canParse(baseUrl)) return 'is not a URL. Enter the address from your provider, e.g. https://api.example.com';
  const url = new URL(baseUrl);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname)))
    return `must start with https://, because the ${secret} would otherwise be sent unencrypted (http:// is allowed only for localhost, e.g. http://127.0.0.1:4010/test)`;
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (/[?#]/.test(baseUrl)) return 'must not contain "?" or "#"';
  return undefined;
}

type Credential = ICredentialDataDecryptedObject;

/** Writes the host in lower case, without a default port or a slash at the end. */
export const normalizedUrl = (text: string): string =>
  URL.canParse(text) ? new URL(text).href.replace(/\/+$/, '') : text;

/** Normalizes the URL, so that different spellings identify the same account. */
export const baseUrlOf = ({ baseUrl }: Credential): string => normalizedUrl(asText(baseUrl).trim());
const merchantIdOf = ({ merchantId }: Credential) => asText(merchantId).trim();

/** Must choose the same field as the credential's `authenticate`. */
const secretFieldOf = ({ authMethod }: Credential) => (authMethod === 'apiToken' ? 'apiToken' : 'apiKey');

export const secretNameOf = (credential: Credential): string =>
  secretFieldOf(credential) === 'apiKey' ? 'API Key' : 'API Token';

/** Returns a problem and the name of the invalid field, or `undefined`. Never returns a secret. */
export function accountProblem(credential: Credential): string | undefined {
  const address = baseUrlProblem(baseUrlOf(credential), secretNameOf(credential));
  if (address) return `the Base URL ${address}`;
  if (!/^\d{1,16}$/.test(merchantIdOf(credential))) return 'the Merchant ID must be a number of at most 16 digits';
  if (asText(credential[secretFieldOf(credential)]).trim() === '') return `the ${secretNameOf(credential)} is empty`;
  return undefined;
}

/** Needed for requests to which n8n doesn't apply `authenticate`. */
export function authorization(credential: Credential): string {
  const secret = asText(credential[secretFieldOf(credential)]).trim();
  return secretFieldOf(credential) === 'apiToken'
    ? `Basic ${secret.replace(/^Basic\s+/i, '')}`
    : `Basic ${Buffer.from(`${merchantIdOf(credential)}:${secret}`).toString('base64')}`;
}

/** @throws NodeOperationError that names the invalid field, never a secret. */
export function readAccount(credential: ICredentialDataDecryptedObject, node: INode): Account {
  const problem = accountProblem(credential);
  if (problem)
    throw new NodeOperationError(node, `Payment Platform API credential: ${problem}`, {
      description: 'Correct the credential and run the workflow again. Nothing was sent.',
    });
  const merchantId = merchantIdOf(credential);
  const secret = secretFieldOf(credential);
  return {
    // Treats any value except "test" as production, because the account may move real money.
    environment: credential.environment === 'test' ? 'test' : 'production',
    baseUrl: baseUrlOf(credential),
    merchantId,
    digestKey: createHash('sha256')
      .update(`digests of ${asText(credential[secret])}`)
      .digest('base64url'),
    secrets: secretsOf(merchantId, asText(credential[secret])),
    credential,
  };
}

/** Messages must not contain the secret or its encoded or decoded forms. */
function secretsOf(merchantId: string, secret: string): string[] {
  const given = secret.trim().replace(/^Basic\s+/i, '');
  const tokens = [`${merchantId}:${given}`, `:${given}`, `${given}:`].map((text) =>
    Buffer.from(text).toString('base64'),
  );
  const inside = Buffer.from(given, 'base64').toString('utf8').split(':');
  const isToken = inside.length > 1 && inside.every((part) => /^[\x20-\x7e]*$/.test(part));
  return [given, ...tokens, ...(isToken ? inside.filter((part) => part !== merchantId) : [])];
}

/** Identifies an account by base URL and merchant, regardless of the authentication method. */
export const accountAtService = ({ baseUrl, merchantId }: Account): string =>
  JSON.stringify([normalizedUrl(baseUrl), merchantId]);
