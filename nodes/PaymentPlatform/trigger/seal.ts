import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

import type { Account } from '../model/types';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Decrypted keys by their encrypted form. With them, the trigger can verify deliveries after a user changes the API
 * key.
 */
const opened = new Map<string, string>();

/**
 * Encrypts a security key, because everyone with access to the workflow can read its static data.
 * @param owner label suffix of the node. Other nodes can't decrypt the result.
 */
export function seal(securityKey: string, account: Account, owner: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, sealingKey(account, owner), nonce);
  const content = Buffer.concat([cipher.update(securityKey, 'utf8'), cipher.final()]);
  const sealed = Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url');
  opened.set(sealed, securityKey);
  return sealed;
}

/** Returns `undefined` if this process hasn't decrypted the key. */
export const openedBefore = (sealed: string): string | undefined => opened.get(sealed);

/** @returns `undefined` if the key was encrypted with another secret, for example before a user changed the API key. */
export function open(sealed: string, account: Account, owner: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, sealingKey(account, owner), bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const content = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    const securityKey = Buffer.concat([content, decipher.final()]).toString('utf8');
    opened.set(sealed, securityKey);
    return securityKey;
  } catch {
    return undefined;
  }
}

const sealingKey = ({ digestKey }: Account, owner: string) =>
  createHmac('sha256', digestKey)
    .update(JSON.stringify(['security key of a webhook', owner]))
    .digest();
