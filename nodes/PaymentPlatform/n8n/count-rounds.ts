import type { IExecuteFunctions } from 'n8n-workflow';

/** A round of the node in an execution: a loop runs the node once in each. Further tries of a round are the same round. */
export interface Round {
  /** Number of rounds before this one. */
  number: number;
  /** Number of items in all rounds before this one. */
  itemsBefore: number;
  /** How often each item occurred in the rounds before, by digest. */
  before: Record<string, number>;
  /** How often each item occurs in this round, by digest. */
  own: Record<string, number>;
  /** Number of items in this round. */
  items: number;
  /** n8n's number of the run. */
  runIndex: number;
  /** Whether n8n got the round's items, so that the next run is the next round. */
  hasEnded?: true;
}

/** The node's context keeps the rounds under this name. n8n stores the context with the execution. */
const CONTEXT_KEY = 'paymentPlatformRounds';

type Kept = { [CONTEXT_KEY]?: Round };

/** n8n's own number of the node's run. It differs between two runs, but n8n does not always begin it with 0. */
export const runIndexOf = (context: IExecuteFunctions): number =>
  Number(context.evaluateExpression('{{ $runIndex }}', 0) ?? 0);

/**
 * The round that the node is in. The node counts the rounds itself: n8n counts a run that never happened when it recovers a
 * crashed execution (n8n.md#retries). A kill loses the count together with the finished
 * rounds, and n8n then begins with the first round again.
 */
export function currentRound(context: IExecuteFunctions): Round {
  const kept: Kept = context.getContext('node');
  const runIndex = runIndexOf(context);
  const latest = kept[CONTEXT_KEY];
  const round = (kept[CONTEXT_KEY] = roundAt(runIndex, latest));
  round.items = context.getInputData().length;
  return round;
}

function roundAt(runIndex: number, latest: Round | undefined): Round {
  // n8n never goes back to an earlier round, unless it begins with the first one again.
  if (!latest || runIndex < latest.runIndex)
    return { number: 0, itemsBefore: 0, before: {}, own: {}, items: 0, runIndex };
  if (!latest.hasEnded || runIndex === latest.runIndex) {
    delete latest.hasEnded;
    return Object.assign(latest, { runIndex });
  }
  const { number, itemsBefore, before, own, items } = latest;
  for (const [digest, count] of Object.entries(own)) before[digest] = (before[digest] ?? 0) + count;
  return { number: number + 1, itemsBefore: itemsBefore + items, before, own: {}, items: 0, runIndex };
}

/** Notes that n8n gets the items of the round, so that a run with another index is another round. */
export function endRound(context: IExecuteFunctions): void {
  const { [CONTEXT_KEY]: round }: Kept = context.getContext('node');
  if (round) round.hasEnded = true;
}
