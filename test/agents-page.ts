import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Text of the documentation page that quotes the node's messages to AI agents. */
export const agentsPage = readFileSync(join(__dirname, '..', 'docs', 'reference', 'agent-messages.md'), 'utf8');

const REFUSED = /^REFUSED[.] Nothing was sent for this call[.] /;
const ASK = / Tell the user what happened, and let the user decide[.]$/;

const LOOK_UP = /\bLook in Report > Get Many Transactions for [^.]+[.]/;

/** Returns whether a text contains the sentences that the documentation omits. */
export const isComplete = (text: string): boolean =>
  text.startsWith('DONE BEFORE') || (ASK.test(text) && (REFUSED.test(text) || !text.startsWith('REFUSED')));

const withoutIds = (text: string): string =>
  text
    .replace(/\b[a-z0-9]{32}\b/g, 'PG_ID')
    .replace(/\b(?:(?:ORDER|PAYOUT)-\w+|[0-9A-F]{20})\b/g, 'REFERENCE')
    .replace(/since \d{4}-\d\d-\d\d \d\d:\d\d [\w/]+/g, 'since TIME');

/** Returns the documented form of a text, with its placeholders and without the sentences that it omits. */
export const asWritten = (text: string): string =>
  withoutIds(text)
    .replace(REFUSED, 'REFUSED. ')
    .replace(ASK, '')
    .replace(LOOK_UP, 'LOOK_UP')
    .replace(/(?<=from 2 )(?:refunds, voids and credits|charges and authorizations|payouts)(?= in )/, 'PAYMENTS');

export const placeholderValues = (text: string): string[] => [
  ...(LOOK_UP.exec(withoutIds(text)) ?? []),
  ...(/(?<=from 2 )[a-z, ]+(?= in )/.exec(text) ?? []),
];
