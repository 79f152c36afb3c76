import { hash } from 'node:crypto';

const FIRST_SLOTS = 256;

/**
 * Set of texts that stores 64 bits of each text. A list can have millions of records, and a set of texts would need ten
 * times the memory. The probability that two of a million texts have the same bits is 3 in 100 million.
 */
export class KnownMarks {
  /** Two numbers per slot. Both are 0 in an empty slot. */
  private slots = new Uint32Array(2 * FIRST_SLOTS);
  private size = 0;

  has(mark: string): boolean {
    const [high, low] = bitsOf(mark);
    return this.isFilled(this.slotOf(high, low));
  }

  /** Returns whether the text is new. */
  add(mark: string): boolean {
    const [high, low] = bitsOf(mark);
    const slot = this.slotOf(high, low);
    if (this.isFilled(slot)) return false;
    this.fill(slot, high, low);
    this.size += 1;
    if (4 * this.size > this.slots.length) this.grow();
    return true;
  }

  private isFilled(slot: number): boolean {
    return this.slots[slot] !== 0 || this.slots[slot + 1] !== 0;
  }

  private fill(slot: number, high: number, low: number): void {
    this.slots[slot] = high;
    this.slots[slot + 1] = low;
  }

  /** Returns the place of a text, or the empty slot for it. */
  private slotOf(high: number, low: number): number {
    const { length } = this.slots;
    let slot = (2 * low) % length;
    while (this.isFilled(slot) && (this.slots[slot] !== high || this.slots[slot + 1] !== low))
      slot = (slot + 2) % length;
    return slot;
  }

  private grow(): void {
    const filled = this.slots;
    this.slots = new Uint32Array(2 * filled.length);
    for (let slot = 0; slot < filled.length; slot += 2) {
      const [high = 0, low = 0] = [filled[slot], filled[slot + 1]];
      if (high !== 0 || low !== 0) this.fill(this.slotOf(high, low), high, low);
    }
  }
}

/** Returns 64 bits of a text's hash, never two zeros. */
function bitsOf(text: string): [high: number, low: number] {
  const bits = hash('sha256', text, 'hex');
  return [parseInt(bits.slice(0, 8), 16), parseInt(bits.slice(8, 16), 16) || 1];
}
