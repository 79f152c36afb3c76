import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

import type { Account } from '../model/types';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Keys that this process has made or opened, by their sealed form: a new API key in n8n does not shut out deliveries. */
const opened = new Map<string, string>();

/**
 * Encrypts a security key for the workflow's static data, which everybody who may open the workflow can read. The
 * encryption key is derived from the credential's secret, which n8n keeps encrypted itself.
 * @param owner the mark of the node: what is sealed for one node can't be opened by another.
 */
export function seal(securityKey: string, account: Account, owner: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, sealingKey(account, owner), nonce);
  const content = Buffer.concat([cipher.update(securityKey, 'utf8'), cipher.final()]);
  const sealed = Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url');
  opened.set(sealed, securityKey);
  return sealed;
}

/** The security key as this process knows it already; `undefined` when it has to be opened first. */
export const openedBefore = (sealed: string): string | undefined => opened.get(sealed);

/** @returns the security key; `undefined` when it was sealed with another secret, e.g. before the API key was changed. */
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
