import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Problem } from '../fields/types';
import { checkText } from '../fields/kinds/text';
import {
  describe,
  isEmpty,
  isReference,
  NO_HALF_CHARACTERS,
  parameterName,
  UnresolvedReference,
} from '../fields/value';
import type { Failure } from '../model/failure';
import type { RunOptions } from '../model/option-types';
import {
  LEFT,
  type Account,
  type AmountLeft,
  type AmountToRead,
  type EarlyRead,
  type EarlyValue,
  type FieldValues,
  type Look,
  type Operation,
  type Planned,
  type ReferenceSearch,
} from '../model/types';
import type { Gate } from '../service/gate';
import { lookUp, notWhole } from '../service/look-up';
import { adjustPace, sendWithRetries } from '../service/send';
import { currentRound } from '../n8n/lineage';
import { ExecutionMemory } from '../once/execution-memory';
import { asText, isWellFormed } from '../shared/objects';
import { maskCardsInId } from '../shared/privacy';

interface Asked {
  read: EarlyRead;
  isAmount: boolean;
  /** Indexes of the items that need the value. */
  items: Set<number>;
  chosen?: EarlyValue;
}

interface Looking {
  context: IExecuteFunctions;
  account: Account;
  options: RunOptions;
  gate: Gate;
}

/**
 * Records that determine values of the items, such as the payment with an order number. The node reads them before it
 * plans the items, so that every check knows the values.
 */
export class PlanningReads {
  private readonly asked = new Map<string, Asked>();
  private readonly shared = new Set<string>();
  /** Refundable amounts in the latest record that the node read for each item, by the item's index. */
  private readonly left = new Map<number, AmountLeft | undefined>();

  /** Currencies of the payments that the node read, by the item's index. */
  private readonly currencies = new Map<number, string>();

  private rounds = 0;
  /** Index of the item that the node plans now. */
  item = 0;

  /** Whether the node has to read records and then plan the items again. */
  get areMissing(): boolean {
    return [...this.asked.values()].some(({ chosen }) => chosen === undefined);
  }

  /** Returns `undefined` if the node has to read the records first. */
  find(read: EarlyRead, isAmount = false): EarlyValue | undefined {
    const key = JSON.stringify(read.looks);
    const known = this.asked.get(key);
    // An amount follows its reference. Further values come from an expression whose result changes.
    if (!known && this.rounds === MOST_ROUNDS) return { allowed: isAmount ? CHANGING_PAYMENT : CHANGING };
    if (!known) this.asked.set(key, { read, isAmount, items: new Set([this.item]) });
    known?.items.add(this.item);
    if (known?.chosen && 'left' in known.chosen) this.left.set(this.item, known.chosen.left);
    if (known?.chosen && 'value' in known.chosen && known.chosen.currency !== undefined)
      this.currencies.set(this.item, known.chosen.currency);
    return known?.chosen;
  }

  /** Currency of the payment that the node read for the item that it plans now. */
  get currency(): string | undefined {
    return this.currencies.get(this.item);
  }

  /** Adds what is left of each payment that only one item changes. */
  addLeft(planned: Planned[]): void {
    this.countObjects(planned);
    for (const plan of planned) {
      if (!('request' in plan) || this.shared.has(plan.request.objectKey ?? '')) continue;
      const left = this.left.get(plan.request.items[0] ?? this.item);
      if (left) plan.request.values.node[LEFT] = left;
    }
  }

  /**
   * Replaces a reference with the ID of its record.
   * @returns `undefined` if the node has to read the record first.
   */
  findId({ looks, choose }: ReferenceSearch, given: { value?: unknown }): IDataObject | undefined {
    if (isEmpty(given.value)) return undefined;
    const reference = referenceIn(given.value);
    const found =
      typeof reference === 'string'
        ? this.find({ looks: looks(reference), choose: (records) => choose(records, reference) })
        : reference;
    if (!found) return undefined;
    const value = 'value' in found ? found.value : new UnresolvedReference(describe(given.value), found.allowed);
    return { ...given, value };
  }

  /** Returns the problem with the value, or sets the value in the body. */
  setAmount({ by, choice, field, read }: AmountToRead, values: FieldValues, object: string | undefined): Problem[] {
    const early = read(values);
    const found = early && this.find(early, true);
    if (!found) return [];
    const isShared = object !== undefined && this.shared.has(object);
    if ('value' in found && !isShared) {
      values.body[field] = found.value;
      return [];
    }
    const { options = [] } = by.property;
    const name = options.find((option) => 'value' in option && option.value === choice)?.name;
    return [{ label: by.label, found: `"${name}"`, allowed: 'value' in found ? SHARED : found.allowed }];
  }

  /**
   * Reads the records of all items, several at a time. Reads the amounts after the references, because only then does
   * the node know which items change the same payment.
   * @param planned all items of the run, as far as the node could plan them.
   * @param attempts values of earlier attempts. An earlier attempt's write can change the record, so that it no longer
   * determines the value, although the node has to recognize the write.
   */
  async read(looking: Looking, planned: Planned[], attempts?: Attempts): Promise<void> {
    const { values: kept = {}, hasBegun } = attempts ?? {};
    this.countObjects(planned);
    this.rounds += 1;
    const { environment, merchantId } = looking.account;
    const readFor = async ([looks, one]: [string, Asked]) => {
      const key = [environment, merchantId, looks].join(' ');
      const chosen = await choose(looking, one.read);
      const isRepeated = [...one.items].some((item) => hasBegun?.(item));
      const before = isRepeated ? kept[key] : undefined;
      one.chosen = 'value' in chosen || before === undefined ? chosen : { value: before };
      // The record may already contain the refund of the earlier attempt.
      if (isRepeated && 'value' in one.chosen) {
        const { value, currency } = one.chosen;
        one.chosen = { value, ...(currency !== undefined && { currency }) };
      }
      if ('value' in one.chosen && !looks.split(/["/,]/).some(isCard)) kept[key] = one.chosen.value;
    };
    const missing = [...this.asked].filter(([, { chosen }]) => !chosen);
    const references = missing.filter(([, { isAmount }]) => !isAmount);
    await Promise.all((references.length > 0 ? references : missing).map(readFor));
  }

  /** The node can't know the remaining amount of a payment that other items of the run also change. */
  private countObjects(planned: Planned[]): void {
    const seen = new Set<string>();
    for (const plan of planned) {
      const { objectKey } = ('request' in plan ? plan.request : plan.refused) ?? {};
      if (objectKey !== undefined) (seen.has(objectKey) ? this.shared : seen).add(objectKey);
    }
  }
}

/** Maximum number of times that the node reads records: for the references and then for the amounts. */
const MOST_ROUNDS = 2;
const CHANGING = 'must have the same value each time that the node reads it';
const CHANGING_PAYMENT = "must be an amount, because this item's expressions return another payment each time";
const SHARED = 'must be an amount, because another item of this run changes the same payment';

const isCard = (text: string): boolean => maskCardsInId(text) !== text;

const checkReference = checkText({ isId: true });

/** Returns the reference, or the problem with it. The checks are the same as for an ID. */
function referenceIn(given: unknown): string | Pick<Problem, 'allowed'> {
  let problem: Pick<Problem, 'allowed'> | undefined;
  const reference = checkReference(given, (allowed) => void (problem = { allowed }), { timezone: 'UTC' });
  if (problem) return problem;
  const text = asText(reference);
  if (!isWellFormed(text)) return { allowed: NO_HALF_CHARACTERS };
  return isCard(text) ? { allowed: 'must not contain a card number' } : text;
}

/** Name in the node's context, which n8n passes to every later attempt (n8n.md#memory). */
const CONTEXT_KEY = 'paymentPlatformReads';

/** Values that attempts of this loop iteration read. */
interface Attempts {
  /** Later changes stay in the execution. */
  values: Record<string, string | number>;
  hasBegun: (item: number) => boolean;
}

export function earlierAttempts(context: IExecuteFunctions, account: Account): Attempts {
  const memory = ExecutionMemory.open(context, account);
  const own: { [CONTEXT_KEY]?: Pick<Attempts, 'values'> & { round: number } } = context.getContext('node');
  const { number: round } = currentRound(context);
  const known = own[CONTEXT_KEY];
  const { values } = (own[CONTEXT_KEY] = known?.round === round ? known : { round, values: {} });
  return { values, hasBegun: (item) => memory.standing(item) !== undefined };
}

/** Refuses references of another merchant, because the service lists only the credential's own records. */
export const referenceProblems = ({ fields }: Operation, parameters: IDataObject): Problem[] =>
  fields
    .filter((field) => isReference(parameters[parameterName(field)]))
    .map(({ label }) => ({
      label,
      found: 'a reference',
      allowed: "must be an ID, because the node searches only the records of the credential's merchant",
    }));

async function choose(looking: Looking, { looks, choose }: EarlyRead): Promise<EarlyValue> {
  if (looks.length === 0)
    return { allowed: 'must not contain a comma or "|", because the service can\'t search for it' };
  const records: IDataObject[] = [];
  for (const look of looks) {
    const seen = await readAll(looking, look).catch(() => undefined);
    if (!Array.isArray(seen)) return { allowed: `could not be looked up${seen ? `: ${seen.message}` : ''}` };
    records.push(...seen);
  }
  try {
    return choose(records);
  } catch {
    return { allowed: 'could not be looked up' };
  }
}

/** Reads a whole list. Retries after temporary faults. */
async function readAll({ context, account, options, gate }: Looking, look: Look): Promise<IDataObject[] | Failure> {
  let records: IDataObject[] = [];
  const answered = (answer: Parameters<typeof adjustPace>[1]) => adjustPace(gate, answer);
  const answer = await sendWithRetries({ effect: 'reads', patience: options, gate }, async () => {
    const seen = await lookUp({ context, account, options, answered }, look);
    if ('failure' in seen) return seen;
    if (seen.note !== undefined) return { ok: false, failure: notWhole(seen.note) };
    ({ records } = seen);
    return { ok: true, record: {} };
  });
  return answer.ok ? records : answer.failure;
}
