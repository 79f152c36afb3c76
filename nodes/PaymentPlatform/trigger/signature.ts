import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';

/**
 * `required`: accept only deliveries with a valid signature. `whenPresent`: also accept unsigned deliveries, and all
 * deliveries while the trigger has no key. `off`: accept all deliveries.
 */
export type SignaturePolicy = 'required' | 'whenPresent' | 'off';

/** `unverifiable`: the trigger has no key to check the signature. */
export type SignatureResult = 'valid' | 'invalid' | 'absent' | 'unverifiable';

/** The vendor's name is between `x-` and `-webhook-signature` (service.md#deliveries). */
const SIGNATURE_HEADER = /^x-.+-webhook-signature$/;

/** The digest doesn't reveal the password in the stored state. */
export function credentialDigest(userName: string, password: string): string {
  return createHash('sha256').update(`${userName}:${password}`).digest('base64url');
}

/** Compares digests in constant time. */
export function isKnownCaller(header: unknown, digests: string[]): boolean {
  const token = /^Basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(typeof header === 'string' ? header : '')?.[1];
  if (token === undefined) return false;
  const given = createHash('sha256').update(Buffer.from(token, 'base64')).digest('base64url');
  return digests.filter((digest) => sameText(given, digest)).length > 0;
}

/**
 * Checks base64 text of an HMAC-SHA256 over the received bytes. During a key rotation, the header can contain several
 * signatures. One valid signature is enough.
 * @param headerName defaults to any header that matches `x-<name>-webhook-signature`.
 */
export function checkSignature(
  rawBody: Buffer,
  headers: IDataObject,
  securityKeys: string[],
  headerName = '',
): SignatureResult {
  const wanted = headerName.trim().toLowerCase();
  const candidates = Object.entries(headers)
    .filter(([name]) => (wanted === '' ? SIGNATURE_HEADER.test(name.toLowerCase()) : name.toLowerCase() === wanted))
    .flatMap(([, value]) => [value].flat().flatMap((one) => asText(one).split(',')))
    .map((candidate) => candidate.trim())
    .filter((candidate) => candidate !== '');
  if (candidates.length === 0) return 'absent';
  const keys = securityKeys.filter((key) => key !== '');
  if (keys.length === 0) return 'unverifiable';
  const expected = keys.map((key) => createHmac('sha256', key).update(rawBody).digest('base64'));
  const isExpected = (candidate: string) => expected.filter((one) => sameText(candidate, one)).length > 0;
  return candidates.filter(isExpected).length > 0 ? 'valid' : 'invalid';
}

export function signatureRefusal(policy: SignaturePolicy, result: SignatureResult): string | undefined {
  if (policy === 'off' || result === 'valid') return undefined;
  if (result === 'invalid') return 'the signature does not match the body';
  if (policy === 'whenPresent') return undefined;
  return result === 'absent'
    ? 'there is no signature, and the option "Signature" requires one'
    : "the trigger can't check the signature without the security key";
}

function sameText(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
