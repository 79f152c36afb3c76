import { createHash, randomBytes } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { generateReference } from '../fields/common';
import { isEmpty } from '../fields/value';
import type { OwnReference } from '../model/footprint';
import type { KeyRow, KeyStore } from '../n8n/key-row';
import { runIndexOf, isTool, storedStart } from '../n8n/lineage';
import type { PlannedRequest } from '../model/types';

/** Name of the seed in the node's context, which n8n stores. */
const CONTEXT_KEY = 'paymentPlatformReferences';
/** Number of hexadecimal digits. With 80 bits, two items are very unlikely to get the same reference. */
const LENGTH = 20;

const MOST_STARTS = 10_000;
/** First execution in this n8n process, by workflow, node and start time. */
const owners = new Map<string, string>();

type Kept = { [CONTEXT_KEY]?: string };

/**
 * Makes references of 20 uppercase letters and digits. All attempts at an item get the same reference, even if the item
 * moves, because the reference depends on the item's content, the node and the execution's start. In a tool, or if the
 * start can change or isn't unique, it depends on a random seed, which n8n stores with the execution and loses if it is
 * killed.
 */
export class References {
  private readonly isCall: boolean;
  private readonly kept: Kept;
  /** Whether earlier attempts sent the same references, if there were any. */
  isLasting: boolean;
  /**
   * Mark in n8n's database if another execution began in the same millisecond. After a kill, only the mark shows that
   * this execution used a random seed.
   */
  private readonly seedMark?: string;
  private readonly start?: number;

  constructor(private readonly context: IExecuteFunctions) {
    this.isCall = isTool(context.getNode());
    this.kept = context.getContext('node');
    const start = this.isCall ? undefined : storedStart(context);
    const isKept = this.kept[CONTEXT_KEY] !== undefined;
    if (start !== undefined && ownsStart(context, start)) this.start = start;
    if (start !== undefined && !isKept) this.seedMark = `seed ${start}`;
    this.isLasting = isKept || this.start !== undefined;
  }

  /**
   * Finds out whether an earlier attempt's references came from a random seed that n8n lost.
   * @throws if n8n's database can't record that this execution's references do.
   */
  async check(row: KeyRow, store: KeyStore, mayBeRetry: boolean): Promise<void> {
    const { seedMark } = this;
    if (seedMark === undefined) return;
    if (this.start === undefined) await row.record(store, [seedMark]);
    else if (mayBeRetry)
      this.isLasting = await row.find(store, [seedMark]).then(
        ({ size }) => size === 0,
        () => false,
      );
  }

  /**
   * @param occurrence number of identical earlier items in the execution.
   * @param key digest of the item's key for Once per Key, which executions share.
   */
  of({ items: [item = 0], operation }: PlannedRequest, occurrence: number, key?: string): OwnReference | undefined {
    const name = operation.reference?.name;
    if (name === undefined) return undefined;
    if (key !== undefined) return { name, value: hash(['key', key]), isLasting: true };
    const { context } = this;
    const content = [context.getWorkflow().id, context.getNode().id, context.getInputData()[item]?.json];
    const place = this.isCall ? [runIndexOf(context), item] : [occurrence];
    const value = hash([this.kept[CONTEXT_KEY] ?? this.start ?? this.newSeed(), content, place]);
    return { name, value, isLasting: this.isLasting };
  }

  private newSeed(): string {
    return (this.kept[CONTEXT_KEY] = randomBytes(12).toString('base64url'));
  }
}

/** Returns whether the user left the operation's reference field empty. */
export function lacksReference({ operation: { reference }, values }: PlannedRequest): boolean {
  if (!reference || (reference.isOptional && values.node[generateReference.name] !== true)) return false;
  return isEmpty(values.body[reference.name]);
}

const hash = (content: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(content))
    .digest('hex')
    .slice(0, LENGTH)
    .toUpperCase()
    // A longer run of digits could look like a card number, which messages mask.
    .replace(/(\d{11})\d/g, '$1A');

/** Returns whether this execution is a retry, or the first execution with its start time. */
function ownsStart(context: IExecuteFunctions, start: number): boolean {
  if (context.getMode() === 'retry') return true;
  const key = JSON.stringify([context.getWorkflow().id, context.getNode().id, start]);
  const own = context.getExecutionId();
  const owner = owners.get(key) ?? own;
  owners.set(key, owner);
  const [oldest = key] = owners.keys();
  if (owners.size > MOST_STARTS) owners.delete(oldest);
  return owner === own;
}
