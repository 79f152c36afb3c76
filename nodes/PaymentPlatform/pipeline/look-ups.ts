import { DateTime } from 'luxon';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { asText } from '../shared/objects';
import type { Gate } from './gate';
import type { Looking } from './look';
import { MadeRecords } from './made-records';
import { SharedList } from './shared-list';
import type { Trace } from './trace';
import type { Answer, Failure, PlannedRequest } from './types';

/** How long is waited before each look, in milliseconds: what was applied may be shown a little later. */
const WAITS_MS = [2000, 4000, 8000];
/** How far the clocks of n8n and of the service may be apart. */
const APART = { minutes: 2 };
const WITHIN = 'within 2 minutes';

/** The field of a result that says that it was found, not answered: what agreed. */
export const FOUND = 'found_at_service';

/** With what a run looks. */
export interface LookUpsOfRun extends Pick<Looking, 'account' | 'options'> {
  context: IExecuteFunctions;
  gate: Gate;
  /** Whether a failed item leaves the others to go on. */
  goOn: boolean;
  /** The option Look Up Unknown Outcomes. */
  isOn: boolean;
  /** Identities of the records that this run made or found already: none of them is found for another item. */
  ownIds: Set<string>;
}

/**
 * Looks at the service for writes of this run whose answer got lost. What is found makes the item done; what is not found
 * leaves it as unknown as it was: it may appear later, and nothing is sent again because of it.
 */
export class LookUps {
  private readonly made: MadeRecords;
  private readonly lists = new Map<string, SharedList>();
  /** When each request left, in milliseconds since 1970. */
  private readonly left = new Map<PlannedRequest, number>();
  private readonly holds = new Map<PlannedRequest, () => void>();
  private readonly found = new Map<PlannedRequest, string>();

  constructor(private readonly run: LookUpsOfRun) {
    this.made = MadeRecords.of(run.context);
  }

  /** The request is on its way from now on. */
  leaves(request: PlannedRequest): void {
    if (!request.decided) this.left.set(request, Date.now());
  }

  /** The request is about to be tried, and has not left. */
  begins(request: PlannedRequest): void {
    this.left.delete(request);
  }

  /** The request's answer stands: others may begin. To be called before the gate goes on. */
  stands(request: PlannedRequest): void {
    this.holds.get(request)?.();
  }

  /** What agreed, in words, where the record of the request was found and not answered. */
  agreementOf(request: PlannedRequest): string | undefined {
    return this.found.get(request);
  }

  /** Records that this run made, in this try or an earlier one, are no other item's, and no duplicates. */
  own({ operation }: PlannedRequest, records: IDataObject[]): void {
    const { trace } = operation;
    if (!trace) return;
    for (const record of records) {
      const id = asText(record[trace.list.identity]);
      this.run.ownIds.add(id);
      this.made.add(id);
    }
  }

  /**
   * Waits and looks for a request that may have been applied; an answer that is known is given back at once.
   * @returns the record in place of the answer, or the failure with what was looked at. Never throws for what happens on
   * the wire.
   */
  async settle(request: PlannedRequest, answer: Answer): Promise<Answer> {
    const { trace } = request.operation;
    const left = this.left.get(request);
    if (answer.ok || answer.failure.outcome !== 'unknown' || !trace || left === undefined || !this.run.isOn)
      return answer;
    if (!trace.isTold(request.values)) return answer;
    const { gate, goOn } = this.run;
    const looking = async () => await this.look(request, trace, DateTime.fromMillis(left).minus(APART));
    // With On Error set to stop nothing may begin as long as nobody knows whether this one failed.
    if (!goOn) this.holds.set(request, gate.hold());
    const seen = goOn ? await gate.aside(looking) : await looking();
    if ('record' in seen) return { ok: true, record: seen.record };
    return { ok: false, failure: { ...answer.failure, advice: sentences(answer.failure.advice, seen.words) } };
  }

  private async look(request: PlannedRequest, trace: Trace, since: DateTime) {
    const { gate, context } = this.run;
    let looks = 0;
    let failure: Failure | undefined;
    let isCut = false;
    for (const wait of WAITS_MS) {
      // A run that ends looks once more without waiting, one that a person stops does not.
      const isOpen = await gate.rest(wait);
      if (context.getExecutionCancelSignal()?.aborted) break;
      const seen = await this.listOf(trace).ask({ since, filter: trace.filter(request.values) });
      if ('failure' in seen) failure = seen.failure;
      else {
        const record = this.claim(request, trace, seen.records, since);
        if (record) return { record };
        looks += 1;
        isCut = seen.isCut;
      }
      if (!isOpen) break;
    }
    return { words: this.words(trace, looks, isCut, failure) };
  }

  /** The latest record that agrees and is nobody's yet; from now on it is this item's. */
  private claim(request: PlannedRequest, trace: Trace, records: IDataObject[], since: DateTime) {
    const { list, agrees, time } = trace;
    const { ownIds } = this.run;
    const found = records.find((record) => {
      const id = asText(record[list.identity]);
      if (id === '' || ownIds.has(id) || this.made.has(id) || !agrees(record, request.values)) return false;
      const at = time(record);
      return at !== undefined && at >= since;
    });
    if (!found) return undefined;
    ownIds.add(asText(found[list.identity]));
    this.found.set(request, `${trace.agreement}, ${WITHIN}`);
    return found;
  }

  private listOf(trace: Trace): SharedList {
    const { context, account, options, gate } = this.run;
    const rest = async (milliseconds: number) => await gate.rest(milliseconds);
    const known = this.lists.get(trace.list.path) ?? new SharedList({ context, account, options }, trace, rest);
    this.lists.set(trace.list.path, known);
    return known;
  }

  private words({ where, agreement }: Trace, looks: number, isCut: boolean, failure?: Failure): string {
    if (looks === 0 && failure) return `It could not be looked up in ${where}: ${failure.message}.`;
    if (looks === 0) return 'It was not looked up, because the run was stopped.';
    const until = DateTime.now().setZone(this.run.context.getTimezone()).toFormat('HH:mm:ss');
    const often = looks === 1 ? 'once' : `${looks} times`;
    const rest = isCut ? ' There were more records than could be read.' : '';
    return `It was looked for ${often} until ${until} in ${where} (${agreement}, ${WITHIN}) and was not there. It may still appear.${rest}`;
  }
}

const sentences = (...parts: string[]) => parts.filter(Boolean).join(' ');
