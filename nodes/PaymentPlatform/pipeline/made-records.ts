import { createHash } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { isTool } from './tool';

/** Where the node's context keeps it: n8n stores the context with the execution and hands it to every further run. */
const CONTEXT_KEY = 'paymentPlatformMade';
/** 48 bits: enough for no two records of an execution to meet. */
const CODE_LENGTH = 8;
/** Records of so many latest writes are known again: a loop that makes more within minutes is no loop of equal writes. */
const MOST_RECORDS = 1000;

interface Kept {
  /** Codes of the records' IDs, one behind the other. */
  [CONTEXT_KEY]?: string;
}

/**
 * Records that the node made in an execution, in whatever run of a loop or try: none of them is found for another item.
 * Kept as short digests of their IDs, less than 10 kB.
 */
export class MadeRecords {
  private readonly codes = new Set<string>();

  private constructor(private readonly kept: Kept) {
    const text = kept[CONTEXT_KEY] ?? '';
    for (let at = 0; at < text.length; at += CODE_LENGTH) this.codes.add(text.slice(at, at + CODE_LENGTH));
  }

  /** A tool's calls remember all that they made by themselves. */
  static of(context: IExecuteFunctions): MadeRecords {
    return new MadeRecords(isTool(context.getNode()) ? {} : context.getContext('node'));
  }

  has(id: string): boolean {
    return this.codes.has(codeOf(id));
  }

  add(id: string): void {
    const code = codeOf(id);
    if (id === '' || this.codes.has(code)) return;
    this.codes.add(code);
    this.kept[CONTEXT_KEY] = `${this.kept[CONTEXT_KEY] ?? ''}${code}`.slice(-MOST_RECORDS * CODE_LENGTH);
  }
}

const codeOf = (id: string) => createHash('sha256').update(id).digest('base64url').slice(0, CODE_LENGTH);
