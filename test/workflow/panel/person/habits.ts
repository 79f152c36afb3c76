import type { Random } from '../../../simulator/random';

/** How often a value was taken and refused where it was typed. */
interface Habit {
  taken: number;
  refused: number;
}

/** What stands in place of a value where nothing was typed. */
export const LEFT = '(left as it is)';

/** One value that was typed into one parameter. */
export interface Typed {
  /** The parameter's path without places in lists, e.g. `line_items.unit_cost`. */
  path: string;
  /** As the panel names it. */
  label: string;
  value: string;
  /** Whether it says which record is meant. */
  isRecord?: boolean;
}

/**
 * What a person learns of a panel from its messages alone: what was refused under a label is typed there seldom, what was
 * sent is typed there more often.
 */
export class Habits {
  private readonly known = new Map<string, Habit>();

  constructor(private readonly random: Random) {}

  /** One of several values; the first are those that the panel itself shows. */
  type(path: string, shown: readonly string[], others: readonly string[]): string {
    const weight = (value: string, start: number) => {
      const { taken, refused } = this.habitOf(path, value);
      return (start * (1 + 4 * taken)) / (1 + 6 * refused);
    };
    return this.random.weighted([
      ...shown.map((value) => [weight(value, 8), value] as const),
      ...others.map((value) => [weight(value, 1), value] as const),
    ]);
  }

  /** One of the choices that the panel offers: what was taken says nothing against the others. */
  pick(path: string, choices: readonly string[]): string {
    return this.random.weighted(choices.map((value) => [1 / (1 + this.habitOf(path, value).refused), value] as const));
  }

  /** @param share how many of 100 are filled by somebody who knows nothing. */
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

  private habitOf(path: string, value: string): Habit {
    const key = `${path}=${value}`;
    const habit = this.known.get(key) ?? { taken: 0, refused: 0 };
    this.known.set(key, habit);
    return habit;
  }
}
