import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** docs/agents.md: what a model reads stands in it word for word. */
export const agentsPage = readFileSync(join(__dirname, '..', 'docs', 'agents.md'), 'utf8');

/** A text as the page has it: without the IDs of one run. */
export const asWritten = (text: string): string => text.replace(/\b[a-z0-9]{32}\b/g, 'PG_ID');
