import type { Random } from '../../../simulator/random';

/** Number of accepted and refused inputs of one value. */
interface Habit {
  taken: number;
  refused: number;
}

/** Represents a parameter that was left unchanged. */
export const LEFT = '(left as it is)';

/** A value entered into a parameter. */
export interface Typed {
  /** Path of the parameter without list indexes, e.g. `line_items.unit_cost`. */
  path: string;
  /** Label in the panel. */
  label: string;
  value: string;
  /** Whether the value identifies a record. */
  isRecord?: boolean;
}

/** Learns about a panel only from its messages. Refused inputs become rare, and accepted ones become more frequent. */
export class Habits {
  private readonly known = new Map<string, Habit>();
  /** Inputs that messages suggested for a path. */
  private readonly suggested = new Map<string, Set<string>>();

  constructor(private readonly random: Random) {}

  /** Returns one of several inputs, preferring those that the panel shows. */
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

  /** Returns one of the panel's choices. The success of one choice doesn't affect other choices. */
  pick(path: string, choices: readonly string[]): string {
    return this.random.weighted(choices.map((value) => [1 / (1 + this.habitOf(path, value).refused), value] as const));
  }

  /** @param share percentage of parameters that an inexperienced user fills. */
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

  /** Remembers inputs that a message suggests. */
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
