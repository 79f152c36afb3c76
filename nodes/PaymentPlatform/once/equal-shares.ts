import { finished, type MemoryEntry } from './memory-entry';
import type { Finished } from '../model/write-memory';

const itemOf = (place: string) => place.split('.')[0];

/**
 * Finds objects that another item's request already sent, such as one saved card in two items. After an edit, any item
 * may contain the object.
 */
export class EqualShares {
  private readonly places = new Map<string, Set<string>>();
  private readonly keepers = new Map<string, string>();

  constructor(private readonly entries: Record<string, MemoryEntry>) {
    for (const [place, entry] of Object.entries(entries)) this.add(place, entry);
  }

  add(place: string, entry: MemoryEntry): void {
    const places = this.places.get(entry.request) ?? new Set();
    this.places.set(entry.request, places.add(place));
    if (entry.records && entry.records.length > 0) this.keepers.set(`${itemOf(place)} ${entry.sentWith}`, place);
  }

  /** Returns another item's stored write to the same object, and its result if the service applied the write. */
  find(digest: string, own: string): { entry: MemoryEntry; done?: Finished } | undefined {
    const equal = [...(this.places.get(digest) ?? [])].flatMap((place) => {
      const entry = this.entries[place];
      return place === own || entry?.request !== digest || entry.notApplied ? [] : [{ place, entry }];
    });
    const found = equal.find((one) => one.entry.records) ?? equal[0];
    if (!found) return undefined;
    const { place, entry } = found;
    const done = finished(entry);
    if (!done || done.byWord || done.byDatabase) return { entry, done };
    const keeper = this.keepers.get(`${itemOf(place)} ${entry.sentWith}`) ?? place;
    return { entry, done: { ...done, records: this.entries[keeper]?.records ?? done.records, ofOther: true } };
  }
}
