import { createHash } from 'node:crypto';

const LETTERS = 'ghjkmnpqrstvwxyz';

/**
 * Gives out identifiers that are the same in every run, so that a test or a demo can name them.
 * A letter at every fourth place keeps an identifier from ever looking like a card number.
 */
export class Identifiers {
  private readonly counters = new Map<string, number>();

  constructor(private readonly namespace: string) {}

  /** The next number of a kind, counted from `first`. */
  nextNumber(kind: string, first = 1): number {
    const value = this.counters.get(kind) ?? first;
    this.counters.set(kind, value + 1);
    return value;
  }

  /** The next opaque identifier of a kind: 32 characters, letters and digits (the length of pg_id and card_id). */
  nextText(kind: string): string {
    const number = this.nextNumber(`text:${kind}`);
    const hash = createHash('sha256').update(`${this.namespace}:${kind}:${number}`).digest('hex');
    return Array.from(hash.slice(0, 32), (character, index) =>
      index % 4 === 0 ? (LETTERS[parseInt(character, 16)] ?? 'g') : character,
    ).join('');
  }
}
