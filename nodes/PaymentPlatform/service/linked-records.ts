import type { IDataObject } from 'n8n-workflow';
import { asText } from '../../shared/objects';
import type { Picker } from './picker';
import type { ListService } from './service';

/** Maximum number of IDs in a request. The service could reject a longer URL. */
const AT_ONCE = 25;
const MOST_LINKED = 200;

/** The limit is low, because users wait for the list. */
const MOST_OF_OTHER = 2 * AT_ONCE;

/** Example: the refunds of a sale. */
export class Linked {
  private readonly known = new Map<string, Map<string, IDataObject>>();

  constructor(
    private readonly picker: Picker,
    records: IDataObject[],
  ) {
    if (!picker.linked?.other) this.add(records);
  }

  of = (record: IDataObject): IDataObject[] => {
    const { linked } = this.picker;
    return linked ? [...(this.known.get(asText(record[linked.to]))?.values() ?? [])] : [];
  };

  /** If the service fails, the list shows the totals in `records` instead. */
  async look(service: ListService, records: IDataObject[]): Promise<void> {
    const { linked } = this.picker;
    if (!linked) return;
    const { other } = linked;
    const needed = other ? records.filter(other.isNeeded) : records;
    const all = [...new Set(needed.map((record) => asText(record[linked.to])))].filter((id) => /^[\w-]+$/.test(id));
    const ids = other ? all.slice(0, MOST_OF_OTHER) : all;
    const list = other ? service.with(other) : service;
    const groups = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, group) =>
      ids.slice(group * AT_ONCE, (group + 1) * AT_ONCE),
    );
    await Promise.all(
      groups.map(async (group) => {
        const filter = [group.map((one) => `${linked.by},IS,${one}`).join('|')];
        const read = await list.read({ filter }, MOST_LINKED);
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
      this.known.set(to, others.set(asText(record[linked.other?.identity ?? identity]), record));
    }
  }
}
