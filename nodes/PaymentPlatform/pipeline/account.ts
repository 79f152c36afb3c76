import { createHash } from 'node:crypto';

import { NodeOperationError, type ICredentialDataDecryptedObject, type INode } from 'n8n-workflow';

import { asText } from '../shared/objects';
import type { Account } from './types';

export const CREDENTIAL_NAME = 'paymentPlatformApi';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * What is wrong with a base URL, or `undefined` when it can be used: https, or http on loopback only, without user
 * name, query or fragment.
 */
export function baseUrlProblem(baseUrl: string): string | undefined {
  if (!URL.canParse(baseUrl))
    return 'is not a URL. Enter the address that your provider gave you, e.g. https://api.example.com';
  const url = new URL(baseUrl);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname)))
    return 'must begin with https:// (http:// is allowed on this computer only, e.g. http://127.0.0.1:4010/test), or the API token would travel unprotected';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (url.search !== '' || url.hash !== '') return 'must not contain "?" or "#"';
  return undefined;
}

/**
 * Checks the credential before anything is sent.
 * @throws NodeOperationError that names the field of the credential and what is allowed; never a secret.
 */
export function readAccount(credential: ICredentialDataDecryptedObject, node: INode): Account {
  const refuse = (message: string): never => {
    throw new NodeOperationError(node, `Payment Platform API credential: ${message}`, {
      description: 'Open the credential, correct it and run the workflow again. Nothing was sent.',
    });
  };
  const baseUrl = asText(credential.baseUrl).trim().replace(/\/+$/, '');
  const problem = baseUrlProblem(baseUrl);
  if (problem) refuse(`the Base URL ${problem}`);
  const merchantId = asText(credential.merchantId).trim();
  if (!/^\d{1,16}$/.test(merchantId)) refuse('the Merchant ID must be digits only, at most 16');
  const secret = credential.authMethod === 'apiKey' ? 'apiKey' : 'apiToken';
  if (asText(credential[secret]).trim() === '') refuse(`the ${secret === 'apiKey' ? 'API Key' : 'API Token'} is empty`);
  return {
    // Whatever the credential says but exactly this may be where money is.
    environment: credential.environment === 'test' ? 'test' : 'production',
    baseUrl,
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
