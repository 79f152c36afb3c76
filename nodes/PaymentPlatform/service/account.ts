import { createHash } from 'node:crypto';

import { NodeOperationError, type ICredentialDataDecryptedObject, type INode } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { CREDENTIAL_SECRET } from '../messages/catalogue';
import type { Account } from '../model/types';

export const CREDENTIAL_NAME = 'paymentPlatformApi';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * What is wrong with a base URL, or `undefined` when it can be used: https, or http on loopback only, without user
 * name, query or fragment.
 * @param secret what would be sent to it, as the credential calls it
 */
export function baseUrlProblem(baseUrl: string, secret: string = CREDENTIAL_SECRET): string | undefined {
  if (!URL.canParse(baseUrl))
    return 'is not a URL. Enter the address that your provider gave you, e.g. https://api.example.com';
  const url = new URL(baseUrl);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname)))
    return `must begin with https:// (http:// is allowed on this computer only, e.g. http://127.0.0.1:4010/test), or the ${secret} would travel unprotected`;
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (/[?#]/.test(baseUrl)) return 'must not contain "?" or "#"';
  return undefined;
}

type Credential = ICredentialDataDecryptedObject;

/** Returns an address in one spelling: host in lower case, no default port, no slash at the end. */
export const normalizedUrl = (text: string): string =>
  URL.canParse(text) ? new URL(text).href.replace(/\/+$/, '') : text;

/** Returns the base URL in one spelling, so that "HTTPS://API.example.com/" is the same account as "https://api.example.com". */
export const baseUrlOf = ({ baseUrl }: Credential): string => normalizedUrl(asText(baseUrl).trim());
const merchantIdOf = ({ merchantId }: Credential) => asText(merchantId).trim();

/** As in `authenticate` of the credential: only a finished token is one. */
const secretFieldOf = ({ authMethod }: Credential) => (authMethod === 'apiToken' ? 'apiToken' : 'apiKey');

/** What the secret is called where the person entered it. */
export const secretNameOf = (credential: Credential): string =>
  secretFieldOf(credential) === 'apiKey' ? 'API Key' : 'API Token';

/** What is wrong with a credential by itself, with its field's name, or `undefined`. Never holds a secret. */
export function accountProblem(credential: Credential): string | undefined {
  const address = baseUrlProblem(baseUrlOf(credential), secretNameOf(credential));
  if (address) return `the Base URL ${address}`;
  if (!/^\d{1,16}$/.test(merchantIdOf(credential))) return 'the Merchant ID must be digits only, at most 16';
  if (asText(credential[secretFieldOf(credential)]).trim() === '') return `the ${secretNameOf(credential)} is empty`;
  return undefined;
}

/** The header of a request, where n8n does not add it by the credential's `authenticate`. */
export function authorization(credential: Credential): string {
  const secret = asText(credential[secretFieldOf(credential)]).trim();
  return secretFieldOf(credential) === 'apiToken'
    ? `Basic ${secret.replace(/^Basic\s+/i, '')}`
    : `Basic ${Buffer.from(`${merchantIdOf(credential)}:${secret}`).toString('base64')}`;
}

/**
 * Checks the credential before anything is sent.
 * @throws NodeOperationError that names the field of the credential and what is allowed; never a secret.
 */
export function readAccount(credential: ICredentialDataDecryptedObject, node: INode): Account {
  const problem = accountProblem(credential);
  if (problem)
    throw new NodeOperationError(node, `Payment Platform API credential: ${problem}`, {
      description: 'Open the credential, correct it and run the workflow again. Nothing was sent.',
    });
  const merchantId = merchantIdOf(credential);
  const secret = secretFieldOf(credential);
  return {
    // Whatever the credential says but exactly this may be where money is.
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

/** What must be in no message: the key and the tokens that can be formed from it, or the token and what it holds. */
function secretsOf(merchantId: string, secret: string): string[] {
  const given = secret.trim().replace(/^Basic\s+/i, '');
  const tokens = [`${merchantId}:${given}`, `:${given}`, `${given}:`].map((text) =>
    Buffer.from(text).toString('base64'),
  );
  const inside = Buffer.from(given, 'base64').toString('utf8').split(':');
  const isToken = inside.length > 1 && inside.every((part) => /^[\x20-\x7e]*$/.test(part));
  return [given, ...tokens, ...(isToken ? inside.filter((part) => part !== merchantId) : [])];
}

/** Identifies an account at the service: base URL and merchant, however the credential authenticates. */
export const accountAtService = ({ baseUrl, merchantId }: Account): string =>
  JSON.stringify([normalizedUrl(baseUrl), merchantId]);
