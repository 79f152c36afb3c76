import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Text of the documentation page that quotes the node's messages to AI agents. */
export const agentsPage = readFileSync(join(__dirname, '..', 'docs', 'reference', 'agent-messages.md'), 'utf8');

/** Replaces IDs and times in a text with the placeholders that the documentation uses. */
export const asWritten = (text: string): string =>
  text
    .replace(/\b[a-z0-9]{32}\b/g, 'PG_ID')
    .replace(/\b(?:ORDER|PAYOUT)-\w+/g, 'REFERENCE')
    .replace(/since \d{4}-\d\d-\d\d \d\d:\d\d/g, 'since TIME');
