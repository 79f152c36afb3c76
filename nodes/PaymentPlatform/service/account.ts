import { createHash } from 'node:crypto';

import { NodeOperationError, type ICredentialDataDecryptedObject, type INode } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { CREDENTIAL_SECRET } from '../messages/catalogue';
import type { Account } from '../model/types';

export const CREDENTIAL_NAME = 'paymentPlatformApi';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Returns the problem with a base URL, or `undefined` if the URL is valid. A valid URL uses https, or http on loopback,
 * and has no user name, query or fragment.
 * @param secret name of the secret that requests to this URL would contain.
 */
export function baseUrlProblem(baseUrl: string, secret: string = CREDENTIAL_SECRET): string | undefined {
  if (!URL.canParse(baseUrl)) return 'is not a URL. Enter the address from your provider, e.g. https://api.example.com';
  const url = new URL(baseUrl);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname)))
    return `must start with https://, because the ${secret} would otherwise be sent unencrypted (http:// is allowed only on this computer, e.g. http://127.0.0.1:4010/test)`;
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (/[?#]/.test(baseUrl)) return 'must not contain "?" or "#"';
  return undefined;
}

type Credential = ICredentialDataDecryptedObject;

/** Returns an address in normal form: host in lower case, no default port, no slash at the end. */
export const normalizedUrl = (text: string): string =>
  URL.canParse(text) ? new URL(text).href.replace(/\/+$/, '') : text;

/** Returns the normalized base URL, so that different spellings of a URL identify the same account. */
export const baseUrlOf = ({ baseUrl }: Credential): string => normalizedUrl(asText(baseUrl).trim());
const merchantIdOf = ({ merchantId }: Credential) => asText(merchantId).trim();

/** Returns the name of the field with the secret. Must follow the same rule as `authenticate` of the credential. */
const secretFieldOf = ({ authMethod }: Credential) => (authMethod === 'apiToken' ? 'apiToken' : 'apiKey');

/** Returns the label of the credential's secret. */
export const secretNameOf = (credential: Credential): string =>
  secretFieldOf(credential) === 'apiKey' ? 'API Key' : 'API Token';

/** Returns the problem with a credential and the name of its field, or `undefined`. Never returns a secret. */
export function accountProblem(credential: Credential): string | undefined {
  const address = baseUrlProblem(baseUrlOf(credential), secretNameOf(credential));
  if (address) return `the Base URL ${address}`;
  if (!/^\d{1,16}$/.test(merchantIdOf(credential))) return 'the Merchant ID must be digits only, at most 16';
  if (asText(credential[secretFieldOf(credential)]).trim() === '') return `the ${secretNameOf(credential)} is empty`;
  return undefined;
}

/** Returns the authorization header for requests to which n8n doesn't apply `authenticate`. */
export function authorization(credential: Credential): string {
  const secret = asText(credential[secretFieldOf(credential)]).trim();
  return secretFieldOf(credential) === 'apiToken'
    ? `Basic ${secret.replace(/^Basic\s+/i, '')}`
    : `Basic ${Buffer.from(`${merchantIdOf(credential)}:${secret}`).toString('base64')}`;
}

/**
 * Checks the credential before the node sends anything.
 * @throws NodeOperationError that names the field of the credential and its allowed values, never a secret.
 */
export function readAccount(credential: ICredentialDataDecryptedObject, node: INode): Account {
  const problem = accountProblem(credential);
  if (problem)
    throw new NodeOperationError(node, `Payment Platform API credential: ${problem}`, {
      description: 'Correct the credential and run the workflow again. Nothing was sent.',
    });
  const merchantId = merchantIdOf(credential);
  const secret = secretFieldOf(credential);
  return {
    // The node treats every value other than "test" as production, because the account may move real money.
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

/**
 * Returns the texts that no message may contain. The texts are either the key and its tokens, or the token and its
 * decoded parts.
 */
function secretsOf(merchantId: string, secret: string): string[] {
  const given = secret.trim().replace(/^Basic\s+/i, '');
  const tokens = [`${merchantId}:${given}`, `:${given}`, `${given}:`].map((text) =>
    Buffer.from(text).toString('base64'),
  );
  const inside = Buffer.from(given, 'base64').toString('utf8').split(':');
  const isToken = inside.length > 1 && inside.every((part) => /^[\x20-\x7e]*$/.test(part));
  return [given, ...tokens, ...(isToken ? inside.filter((part) => part !== merchantId) : [])];
}

/**
 * Returns the identity of an account at the service: base URL and merchant. The identity doesn't depend on the
 * authentication method.
 */
export const accountAtService = ({ baseUrl, merchantId }: Account): string =>
  JSON.stringify([normalizedUrl(baseUrl), merchantId]);
