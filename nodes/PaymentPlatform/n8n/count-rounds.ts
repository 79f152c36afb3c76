import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Round of the node in an execution. A loop runs the node once per round. Retries of a round belong to the same round.
 */
export interface Round {
  /** Number of rounds before this one. */
  number: number;
  /** Number of items in all rounds before this one. */
  itemsBefore: number;
  /** Occurrences of each item in earlier rounds, by digest. */
  before: Record<string, number>;
  /** Occurrences of each item in this round, by digest. */
  own: Record<string, number>;
  /** Number of items in this round. */
  items: number;
  /** Run index of n8n. */
  runIndex: number;
  /** Whether n8n received the round's output, so that the next run is the next round. */
  hasEnded?: true;
}

/** Name of the rounds in the node's context, which n8n stores with the execution. */
const CONTEXT_KEY = 'paymentPlatformRounds';

type Kept = { [CONTEXT_KEY]?: Round };

/** Returns n8n's run index of the node. It differs between two runs but doesn't always start at 0. */
export const runIndexOf = (context: IExecuteFunctions): number =>
  Number(context.evaluateExpression('{{ $runIndex }}', 0) ?? 0);

/**
 * Returns the current round of the node. The node counts rounds itself, because n8n also counts a run that never
 * happened when it recovers a crashed execution (n8n.md#retries). A killed process loses the count together with the
 * finished rounds, and n8n then starts with the first round again.
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
  // n8n never returns to an earlier round, unless it starts again with the first round.
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

/** Records that n8n receives the output of the round, so that a run with another index is the next round. */
export function endRound(context: IExecuteFunctions): void {
  const { [CONTEXT_KEY]: round }: Kept = context.getContext('node');
  if (round) round.hasEnded = true;
}
