import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';

/**
 * Which deliveries are accepted: those with a valid signature; those without one too, and any while no key is known
 * (`whenPresent`); all of them (`off`).
 */
export type SignaturePolicy = 'required' | 'whenPresent' | 'off';

/** `unverifiable`: there is a signature, and no key to check it with. */
export type SignatureResult = 'valid' | 'invalid' | 'absent' | 'unverifiable';

/** The vendor's name stands between `x-` and `-webhook-signature` (service.md#deliveries). */
const SIGNATURE_HEADER = /^x-.+-webhook-signature$/;

/** What is kept of a user name and password: enough to recognise them, not enough to send them. */
export function credentialDigest(userName: string, password: string): string {
  return createHash('sha256').update(`${userName}:${password}`).digest('base64url');
}

/**
 * Whether an Authorization header holds one of the user names and passwords that are known by their digests. Compares
 * in constant time.
 */
export function isKnownCaller(header: unknown, digests: string[]): boolean {
  const token = /^Basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(typeof header === 'string' ? header : '')?.[1];
  if (token === undefined) return false;
  const given = createHash('sha256').update(Buffer.from(token, 'base64')).digest('base64url');
  return digests.filter((digest) => sameText(given, digest)).length > 0;
}

/**
 * Checks the signature of a delivery: base64 of HMAC-SHA256 over the body's bytes as they were received, keyed by the
 * security key as UTF-8 text. A header may hold several, separated by commas, while the key is being changed: any
 * equal one is valid.
 * @param securityKeys those that may have signed: more than one while the key is being changed.
 * @param headerName the header to look at; any `x-<name>-webhook-signature` unless given.
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

/** Why a delivery is refused for its signature, in words that hold no secret; `undefined` when it is not. */
export function signatureRefusal(policy: SignaturePolicy, result: SignatureResult): string | undefined {
  if (policy === 'off' || result === 'valid') return undefined;
  if (result === 'invalid') return 'the signature does not match the body';
  if (policy === 'whenPresent') return undefined;
  return result === 'absent'
    ? 'there is no signature, and the option "Signature" requires one'
    : 'the signature cannot be checked because the security key is unknown';
}

function sameText(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
