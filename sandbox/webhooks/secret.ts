import { randomBytes } from 'node:crypto';

/** A secret of 32 characters, the longest that the service has (facts.md section 1). */
export const newSecurityKey = (): string => randomBytes(24).toString('base64');
