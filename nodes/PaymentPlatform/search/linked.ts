import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';
import type { Picker } from './picker';
import type { ListService } from './service';

/** Records whose IDs stand in one request: longer addresses may be refused. */
const AT_ONCE = 25;
/** A record with more than these belonging to it is hardly ever found, and its own sums count besides. */
const MOST_LINKED = 200;

/** The records that belong to others of the same list, such as the refunds of a sale, by what they belong to. */
export class Linked {
  private readonly known = new Map<string, Map<string, IDataObject>>();

  constructor(
    private readonly picker: Picker,
    records: IDataObject[],
  ) {
    this.add(records);
  }

  /** What is known to belong to a record. */
  of = (record: IDataObject): IDataObject[] => {
    const { linked } = this.picker;
    return linked ? [...(this.known.get(asText(record[linked.to]))?.values() ?? [])] : [];
  };

  /** Asks for what belongs to these records. A service that gives no answer to it changes nothing: their own sums count. */
  async look(service: ListService, records: IDataObject[]): Promise<void> {
    const { linked } = this.picker;
    if (!linked) return;
    const ids = [...new Set(records.map((record) => asText(record[linked.to])))].filter((id) => /^\w+$/.test(id));
    const groups = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, group) =>
      ids.slice(group * AT_ONCE, (group + 1) * AT_ONCE),
    );
    await Promise.all(
      groups.map(async (group) => {
        const filter = [group.map((one) => `${linked.by},IS,${one}`).join('|')];
        const read = await service.read({ filter }, MOST_LINKED);
        if ('records' in read) this.add(read.records);
      }),
    );
  }

  private add(records: IDataObject[]): void {
    const { linked, identity } = this.picker;
    if (!linked) return;
    for (const record of records) {
      const to = asText(record[linked.by]);
      if (to === '') continue;
      const others = this.known.get(to) ?? new Map<string, IDataObject>();
      this.known.set(to, others.set(asText(record[identity]), record));
    }
  }
}
