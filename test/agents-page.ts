import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Text of docs/reference/agent-messages.md, which quotes the node's messages to a model. */
export const agentsPage = readFileSync(join(__dirname, '..', 'docs', 'reference', 'agent-messages.md'), 'utf8');

/**
 * Replaces the IDs and times of a run with placeholders, because the documentation quotes messages with placeholders.
 */
export const asWritten = (text: string): string =>
  text
    .replace(/\b[a-z0-9]{32}\b/g, 'PG_ID')
    .replace(/\b(?:ORDER|PAYOUT)-\w+/g, 'REFERENCE')
    .replace(/since \d{4}-\d\d-\d\d \d\d:\d\d/g, 'since TIME');
