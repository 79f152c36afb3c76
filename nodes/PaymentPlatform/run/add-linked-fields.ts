import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../model/failure';
import type { PlannedRequest } from '../model/types';
import { LinkedRecords } from '../service/linked-records';
import { readWholeList, type WholeReading } from '../service/look-up';

/** Adds fields that records of another list determine (`ListDeclaration.linked`). */
export class LinkedFields {
  private failure?: Failure;

  constructor(
    private readonly reading: WholeReading,
    private readonly request: Pick<PlannedRequest, 'list'>,
  ) {}

  async add(records: IDataObject[]): Promise<IDataObject[]> {
    const { linked } = this.request.list ?? {};
    if (!linked || records.length === 0) return records;
    const { identity, request } = linked;
    const others = new LinkedRecords(linked);
    const failure = await others.read(
      records,
      async (filter) => await readWholeList(this.reading, { ...request, query: { filter }, list: { identity } }),
    );
    this.failure ??= failure;
    return records.map((record) => ({ ...record, ...linked.fieldsFrom(others.of(record), record) }));
  }

  /** Adds the reason why fields are missing to a list's note. */
  noted<End extends { note?: string }>(end: End): End {
    const { failure } = this;
    if (!failure) return end;
    const missing = `The node could not read ${this.request.list?.linked?.of}: ${failure.message}.`;
    return { ...end, note: end.note === undefined ? missing : `${end.note} ${missing}` };
  }
}
