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

/** Returns two independent 32-bit hashes of a text, never two zeros. */
function bitsOf(text: string): [high: number, low: number] {
  let [high, low] = [0x9e3779b9, 0x85ebca6b];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = mixed(high ^ code, 0xcc9e2d51, 15);
    low = mixed(low ^ code, 0x2c1b3c6d, 13);
  }
  [high, low] = [mixed(high ^ text.length, 0xc2b2ae35, 16), mixed(low ^ text.length, 0x297a2d39, 15)];
  return [high >>> 0, low >>> 0 || 1];
}

function mixed(value: number, factor: number, shift: number): number {
  const product = Math.imul(value, factor);
  return product ^ (product >>> shift);
}
