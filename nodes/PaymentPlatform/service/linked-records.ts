import type { IDataObject } from 'n8n-workflow';

import type { RecordLink } from '../model/types';
import { asText } from '../shared/objects';

/** Maximum number of values in a filter. The service could reject a longer URL. */
const AT_ONCE = 25;
/** Maximum number of parallel requests. */
const PARALLEL = 3;

/** Records that a list's records name, such as the refunds of a sale. */
export class LinkedRecords {
  private readonly known = new Map<string, Map<string, IDataObject>>();

  constructor(private readonly link: RecordLink) {}

  of = (record: IDataObject): IDataObject[] => [...(this.known.get(asText(record[this.link.to]))?.values() ?? [])];

  add(records: IDataObject[]): void {
    const { by, identity } = this.link;
    for (const record of records) {
      const to = asText(record[by]);
      if (to === '') continue;
      const others = this.known.get(to) ?? new Map<string, IDataObject>();
      this.known.set(to, others.set(asText(record[identity]), record));
    }
  }

  /**
   * Reads the linked records, several values at a time. Leaves out values that a filter can't contain.
   * @param readFiltered returns the records that match a filter, or the failure.
   * @param most maximum number of values to look up.
   * @returns the first failure, after which the function reads nothing more.
   */
  async read<Failed extends object>(
    records: IDataObject[],
    readFiltered: (filter: string[]) => Promise<IDataObject[] | Failed>,
    most = Infinity,
  ): Promise<Failed | undefined> {
    const { by, to } = this.link;
    const values = [...new Set(records.map((record) => asText(record[to])))].filter((value) => /^[\w-]+$/.test(value));
    const filters = Array.from({ length: Math.ceil(Math.min(values.length, most) / AT_ONCE) }, (_, index) => [
      values
        .slice(index * AT_ONCE, Math.min((index + 1) * AT_ONCE, most))
        .map((value) => `${by},IS,${value}`)
        .join('|'),
    ]);
    let failure: Failed | undefined;
    while (filters.length > 0 && !failure) {
      const found = await Promise.all(filters.splice(0, PARALLEL).map(readFiltered));
      for (const one of found)
        if (Array.isArray(one)) this.add(one);
        else failure ??= one;
    }
    return failure;
  }
}
