import type { Random } from '../../../simulator/random';

/** Number of times that the node accepted and refused a value. */
interface Habit {
  taken: number;
  refused: number;
}

/** Value that represents an unchanged parameter. */
export const LEFT = '(left as it is)';

/** Value that the simulated user entered into a parameter. */
export interface Typed {
  /** Path of the parameter without list indexes, such as `line_items.unit_cost`. */
  path: string;
  /** Label of the parameter in the panel. */
  label: string;
  value: string;
  /** Whether the value identifies a record of the service. */
  isRecord?: boolean;
}

/** Learns from the node's messages about a panel. Chooses accepted values more often and refused values less often. */
export class Habits {
  private readonly known = new Map<string, Habit>();
  /** Values that messages suggested, by the path of the parameter. */
  private readonly suggested = new Map<string, Set<string>>();

  constructor(private readonly random: Random) {}

  /** Returns one of several values for a parameter. Values that the panel shows have a higher probability. */
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

  /**
   * Returns one of the choices in the panel. A refused choice becomes less likely, but an accepted choice doesn't
   * become more likely.
   */
  pick(path: string, choices: readonly string[]): string {
    return this.random.weighted(choices.map((value) => [1 / (1 + this.habitOf(path, value).refused), value] as const));
  }

  /**
   * Returns whether to leave a parameter empty.
   * @param share percentage of parameters that the simulated user fills in before any message.
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

  /** Stores values that a message suggests for a parameter. */
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
