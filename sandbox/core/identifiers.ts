import { createHash } from 'node:crypto';

const LETTERS = 'ghjkmnpqrstvwxyz';

/**
 * Generates the same identifiers each run. Every fourth character is a letter, so that no identifier looks like a card
 * number.
 */
export class Identifiers {
  private readonly counters = new Map<string, number>();

  constructor(private readonly namespace: string) {}

  nextNumber(kind: string, first = 1): number {
    const value = this.counters.get(kind) ?? first;
    this.counters.set(kind, value + 1);
    return value;
  }

  /** Returns the next identifier of 32 letters and digits. */
  nextText(kind: string): string {
    const number = this.nextNumber(`text:${kind}`);
    const hash = createHash('sha256').update(`${this.namespace}:${kind}:${number}`).digest('hex');
    return Array.from(hash.slice(0, 32), (character, index) =>
      index % 4 === 0 ? (LETTERS[parseInt(character, 16)] ?? 'g') : character,
    ).join('');
  }
}
