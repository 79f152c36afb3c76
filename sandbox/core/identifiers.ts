import { createHash } from 'node:crypto';

const LETTERS = 'ghjkmnpqrstvwxyz';

/**
 * Generates the same identifiers in every run, so tests and demos can name them. Every fourth character is a letter, so
 * that no identifier looks like a card number.
 */
export class Identifiers {
  private readonly counters = new Map<string, number>();

  constructor(private readonly namespace: string) {}

  /** Returns the next number of a kind, starting from `first`. */
  nextNumber(kind: string, first = 1): number {
    const value = this.counters.get(kind) ?? first;
    this.counters.set(kind, value + 1);
    return value;
  }

  /** Returns the next opaque identifier of a kind: 32 letters and digits, as in pg_id and card_id. */
  nextText(kind: string): string {
    const number = this.nextNumber(`text:${kind}`);
    const hash = createHash('sha256').update(`${this.namespace}:${kind}:${number}`).digest('hex');
    return Array.from(hash.slice(0, 32), (character, index) =>
      index % 4 === 0 ? (LETTERS[parseInt(character, 16)] ?? 'g') : character,
    ).join('');
  }
}
