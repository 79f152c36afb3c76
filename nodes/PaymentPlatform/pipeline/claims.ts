import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { candidates } from './candidates';
import { MadeRecords } from './made-records';
import { isSince, type Since } from './since';
import { isOnesOwn, type Named, type Trace } from './trace';
import type { PlannedRequest } from './types';

/** What a record has to be for an item to be done by it, besides what its fields say. */
export interface Agreement {
  /** From when on records count; all of them unless given. */
  since?: Since | undefined;
  /** Whether what another round of a loop made counts as well: a guard refuses where a count would go on. */
  isGuard?: boolean;
  /** How many equal records have to be there that are nobody's yet. */
  least: number;
}

/** A write, with all that its record is compared with. */
export interface Compared {
  values: Named;
}

/**
 * Which record belongs to which item of a run. Equal writes leave equal records, so they are counted: a record is one item's,
 * and none is taken from an item that is done without anybody knowing its record.
 */
export class Claims {
  private readonly made: MadeRecords;
  /** Equal writes of the run, and those of them whose record is known. */
  private readonly wanted = new Map<string, number>();
  private readonly placed = new Map<string, Set<PlannedRequest>>();
  /** Those that are done, or may be, and nobody knows their record. */
  private readonly unplaced = new Map<string, Set<PlannedRequest>>();

  constructor(
    context: IExecuteFunctions,
    private readonly ownIds: Set<string>,
    writes: PlannedRequest[],
  ) {
    this.made = MadeRecords.of(context);
    for (const write of writes) {
      const key = keyOf(write);
      this.wanted.set(key, (this.wanted.get(key) ?? 0) + 1);
    }
  }

  /** The item is done, with these records. */
  own(request: PlannedRequest, records: IDataObject[]): void {
    const { trace } = request.operation;
    if (!trace) return;
    const ids = records.map((record) => asText(record[trace.list.identity])).filter(Boolean);
    for (const id of ids) {
      this.ownIds.add(id);
      this.made.add(id);
    }
    const list = ids.length > 0 ? this.placed : this.unplaced;
    const key = keyOf(request);
    list.set(key, (list.get(key) ?? new Set()).add(request));
    if (ids.length > 0) this.unplaced.get(key)?.delete(request);
  }

  /** Nobody knows what became of the item. Its record may turn up later: then it is not another one's. */
  leaveOpen(request: PlannedRequest): void {
    if (!request.operation.trace) return;
    const key = keyOf(request);
    this.unplaced.set(key, (this.unplaced.get(key) ?? new Set()).add(request));
  }

  /** For a write of this run: more records than those of equal items that were done before, or may be, and left no record. */
  leastOfRun(request: PlannedRequest): number {
    const unplaced = this.unplaced.get(keyOf(request));
    return 1 + (unplaced?.size ?? 0) - (unplaced?.has(request) ? 1 : 0);
  }

  /**
   * For a write of an earlier try: one for each equal item whose record is not known. An earlier try may have done any of
   * them.
   */
  leastOfAll(request: PlannedRequest): number {
    const key = keyOf(request);
    return Math.max(1, (this.wanted.get(key) ?? 1) - (this.placed.get(key)?.size ?? 0));
  }

  /** The latest record that agrees and is nobody's yet; from now on it is this item's. */
  claim(
    { values }: Compared,
    trace: Trace,
    records: IDataObject[],
    { since, least, isGuard }: Agreement,
  ): IDataObject | undefined {
    const { agrees } = trace;
    const free = candidates(records, trace, values).filter((record) => {
      const id = idOf(record, trace, values);
      if (id === '' || !agrees(record, values) || this.isTaken(id, trace, isGuard)) return false;
      return since === undefined || isSince(record, trace, since);
    });
    const [latest] = free;
    if (!latest || free.length < least) return undefined;
    this.ownIds.add(idOf(latest, trace, values));
    return latest;
  }

  /**
   * A record that keeps an item from being sent, though it may be of another write: its outcome is open, or its time can't
   * be read.
   */
  doubtful(
    { values }: Compared,
    trace: Trace,
    records: IDataObject[],
    { since, isGuard }: Omit<Agreement, 'least'>,
  ): IDataObject | undefined {
    const { list, agrees, mayBe = agrees, time } = trace;
    return candidates(records, trace, values).find((record) => {
      if (!mayBe(record, values) || this.isTaken(asText(record[list.identity]), trace, isGuard)) return false;
      const at = time?.(record);
      return since === undefined || at === undefined || at >= since.at;
    });
  }

  private isTaken(id: string, trace: Trace, isGuard = false): boolean {
    return this.ownIds.has(id) || (!isGuard && isOnesOwn(trace) && this.made.has(id));
  }
}

/** What tells the record from others; a record that may be of any kind, by what is asked for. */
const idOf = (record: IDataObject, { list, key }: Trace, values: Named) =>
  asText(record[list.identity]) || (list.newestBy === undefined ? key(values) : '');

const keyOf = ({ operation, values }: PlannedRequest) => operation.trace?.key(values) ?? '';
