import type { Random } from '../../../simulator/random';

interface Habit {
  taken: number;
  refused: number;
}

/** Text that represents an unchanged parameter. */
export const LEFT = '(left as it is)';

export interface Typed {
  /** Path of the parameter without list indexes, such as `line_items.unit_cost`. */
  path: string;
  label: string;
  value: string;
  isRecord?: boolean;
}

/** Learns from the node's messages which texts the node accepts and refuses in a panel. */
export class Habits {
  private readonly known = new Map<string, Habit>();
  /** Text suggested in messages, keyed by parameter path. */
  private readonly suggested = new Map<string, Set<string>>();

  constructor(private readonly random: Random) {}

  /** Chooses text for a parameter, preferring text that the panel shows. */
  type(path: string, shown: readonly string[], others: readonly string[]): string {
    const weight = (value: string, start: number) => {
      const { taken, refused } = this.habitOf(path, value);
      return (start * (1 + 4 * taken)) / (1 + 6 * refused);
    };
    const likely = new Set([...shown, ...(this.suggested.get(path) ?? [])]);
    return this.random.weighted([
      ...[...likely].map((value) => [weight(value, 8), value] as const),
      ...others.map((value) => [weight(value, 1), value] as const),
    ]);
  }

  pick(path: string, choices: readonly string[]): string {
    return this.random.weighted(choices.map((value) => [1 / (1 + this.habitOf(path, value).refused), value] as const));
  }

  /**
   * Returns whether to leave a parameter empty.
   * @param share percentage of parameters to fill in before any message.
   */
  isLeft(path: string, share: number): boolean {
    return this.random.percent((100 - share) / (1 + 4 * this.habitOf(path, LEFT).refused));
  }

  learn(typed: readonly Typed[], taken: boolean): void {
    for (const { path, value } of typed) {
      const habit = this.habitOf(path, value);
      if (taken) habit.taken += 1;
      else habit.refused += 1;
    }
  }

  suggest(path: string, values: readonly string[]): void {
    this.suggested.set(path, new Set([...(this.suggested.get(path) ?? []), ...values]));
  }

  private habitOf(path: string, value: string): Habit {
    const key = `${path}=${value}`;
    const habit = this.known.get(key) ?? { taken: 0, refused: 0 };
    this.known.set(key, habit);
    return habit;
  }
}
