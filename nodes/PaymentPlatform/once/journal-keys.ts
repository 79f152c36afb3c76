import { createHash } from 'node:crypto';

/** The keys of one write, in the order in which they are recorded: the oldest of a row go first. */
export interface EntryKeys {
  all: string[];
  /** Those that are there as long as nobody knows what became of the write. */
  open: string[];
  /** By each name of the lineage. */
  names: Array<{ name: string; place?: string; content: string; open: string }>;
  /** By content alone. */
  bare: string[];
}

interface Parts {
  bare: string[];
  content: string;
  place?: string;
  attempt: string;
}

/**
 * `open` comes last: it must not be gone before `content`, which without it says that the write is done.
 * @param names of the lineage.
 */
export function entryKeys(names: string[], { bare: contents, content, place, attempt }: Parts): EntryKeys {
  const bare = contents.map((one) => digest(['bare', one, attempt]));
  const each = names.map((name) => ({
    name,
    ...(place !== undefined && { place: digest(['place', name, place, attempt]) }),
    content: digest(['content', name, content, attempt]),
    open: digest(['open', name, content, attempt]),
  }));
  const open = each.map((one) => one.open);
  const places = each.flatMap(({ place: one }) => (one === undefined ? [] : [one]));
  return { all: [...bare, ...places, ...each.map((one) => one.content), ...open], open, names: each, bare };
}

/** Whether a person said that the item is to be sent, whatever became of the try before. */
export const hasWord = (attempt: string): boolean => /[1-9]/.test(attempt);

const digest = (parts: string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
