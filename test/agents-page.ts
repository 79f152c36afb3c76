import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** docs/reference/agent-messages.md, which quotes messages to the model. */
export const agentsPage = readFileSync(join(__dirname, '..', 'docs', 'reference', 'agent-messages.md'), 'utf8');

/** Returns a text as the page quotes it, without the IDs and times of one run. */
export const asWritten = (text: string): string =>
  text
    .replace(/\b[a-z0-9]{32}\b/g, 'PG_ID')
    .replace(/\b(?:ORDER|PAYOUT)-\w+/g, 'REFERENCE')
    .replace(/since \d{4}-\d\d-\d\d \d\d:\d\d/g, 'since TIME');
