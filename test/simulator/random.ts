/** Seeded random number generator (mulberry32). A seed gives the same sequence on every machine. */
export class Random {
  private state: number;

  constructor(seed: number) {
    // Mixes the bits of the seed, so that adjacent seeds start with different values.
    this.state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
    this.next();
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next = (): number => {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };

  /** Returns an integer from `least` to `most`, inclusive. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** Returns true with a probability of `share` percent. */
  percent(share: number): boolean {
    return this.next() * 100 < share;
  }

  pick<Choice>(choices: readonly Choice[]): Choice {
    const choice = choices[this.integer(0, choices.length - 1)];
    if (choice === undefined) throw new RangeError('Nothing to choose from');
    return choice;
  }

  weighted<Choice>(choices: ReadonlyArray<readonly [number, Choice]>): Choice {
    let left = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, choice] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    return (choices[choices.length - 1] as readonly [number, Choice])[1];
  }

  list<Value>(count: number, draw: (index: number) => Value): Value[] {
    return Array.from({ length: count }, (_, index) => draw(index));
  }
}
