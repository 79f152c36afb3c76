import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../model/failure';
import type { RequestResult } from '../model/results';
import type { PlannedRequest } from '../model/types';
import { LinkedRecords } from '../service/linked-records';
import { type Looking, lookUp, notWhole } from '../service/look-up';
import { isList } from '../shared/objects';

/** Maximum number of pages for a filter. Many payments can have the same value. */
const MOST_PAGES = 10;

/**
 * Adds fields that records of another list determine (`ListDeclaration.linked`). The list is complete without them, so a
 * failure neither ends it nor changes the run's pace.
 */
export class LinkedFields {
  private failure?: Failure;

  constructor(
    private readonly looking: Looking,
    private readonly request: Pick<PlannedRequest, 'list'>,
  ) {}

  /** After a failure, adds nothing more. */
  async add(records: IDataObject[]): Promise<IDataObject[]> {
    const { linked } = this.request.list ?? {};
    if (!linked || records.length === 0 || this.failure) return records;
    const { identity, request } = linked;
    const { context, account, options } = this.looking;
    const others = new LinkedRecords(linked);
    const failure = await others.read(records, async (filter) => {
      const list = { identity, mostPages: MOST_PAGES };
      const found = await lookUp({ context, account, options }, { ...request, query: { filter }, list });
      if ('failure' in found) return found.failure;
      return found.note === undefined ? found.records : notWhole(found.note);
    });
    if (failure) this.failure = failure;
    return records.map((record) => ({ ...record, ...linked.fieldsFrom(others.of(record), record) }));
  }

  /** Adds the reason why fields are missing to the list's note, and to the hints in the item of a file. */
  withReason(result: RequestResult): RequestResult {
    if (result.kind !== 'done' || !this.failure) return result;
    const reason = `The node could not read ${this.request.list?.linked?.of}: ${this.failure.message}.`;
    const hintsOf = ({ hints }: IDataObject) => [...(isList(hints) ? hints : []), reason];
    const { records, binary } = result;
    return {
      ...result,
      ...(binary && { records: records.map((record) => ({ ...record, hints: hintsOf(record) })) }),
      note: result.note === undefined ? reason : `${result.note} ${reason}`,
    };
  }
}
