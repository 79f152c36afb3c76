import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

import type { Account } from '../model/types';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Security keys that this process created or decrypted, by their encrypted form, so that deliveries continue after the
 * API key in n8n changes.
 */
const opened = new Map<string, string>();

/**
 * Encrypts a security key for the workflow's static data, which everyone with access to the workflow can read. The
 * encryption key is derived from the credential's secret, which n8n itself stores encrypted.
 * @param owner mark of the node. Other nodes can't decrypt the result.
 */
export function seal(securityKey: string, account: Account, owner: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, sealingKey(account, owner), nonce);
  const content = Buffer.concat([cipher.update(securityKey, 'utf8'), cipher.final()]);
  const sealed = Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url');
  opened.set(sealed, securityKey);
  return sealed;
}

/** Returns the security key if it is in this process's memory. */
export const openedBefore = (sealed: string): string | undefined => opened.get(sealed);

/**
 * @returns the security key, or `undefined` if it was encrypted with another secret, for example before the API key
 * changed.
 */
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
