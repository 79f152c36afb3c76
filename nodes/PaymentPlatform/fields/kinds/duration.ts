import { withBound } from '../bounds';
import { choice } from './choice';
import { composite } from './composite';
import { whatToType } from '../detect-mistyped';
import { exactDecimal, numberBox } from './number';
import type { FieldOptions, CompositeField } from '../types';
import { describe, parameterName, valueField } from '../value';

interface DurationOptions extends FieldOptions {
  type?: 'integer';
  /** Shortest and longest duration, in seconds. */
  least: number;
  most: number;
  unitLabel: string;
}

/** Longest unit first. */
const UNITS: Array<{ name: string; value: string; seconds: number }> = [
  { name: 'Days', value: 'days', seconds: 86_400 },
  { name: 'Hours', value: 'hours', seconds: 3_600 },
  { name: 'Minutes', value: 'minutes', seconds: 60 },
  { name: 'Seconds', value: 'seconds', seconds: 1 },
];
const DECIMALS = 6;

/** 900 becomes "15 minutes". */
function inWords(seconds: number): string {
  const unit = UNITS.find((one) => seconds % one.seconds === 0);
  return unit ? `${seconds / unit.seconds} ${unit.value}` : `${seconds} seconds`;
}

function lengthFound(value: unknown, unit: string): string {
  const plain = /^"(-?\d+(?:\.\d+)?)"$/.exec(describe(value))?.[1] ?? describe(value);
  if (plain.startsWith('"')) return `${plain}, in ${unit}`;
  return `${plain} ${plain === '1' ? unit.replace(/s$/, '') : unit}`;
}

/** The editor shows a number and a unit. The request contains whole seconds. */
export function duration(options: DurationOptions): CompositeField {
  const range = `${inWords(options.least)} to ${inWords(options.most)}`;
  const description = withBound(options.description, `From ${range}`);
  const count = valueField({ ...options, description }, numberBox(options), (value) => value);
  const unit = choice({
    name: `${parameterName(options)}Unit`,
    label: options.unitLabel,
    description: `Unit of time for '${options.label}'`,
    options: UNITS.map(({ name, value }) => ({ name, value })),
    required: true,
    ...(options.displayOptions && { displayOptions: options.displayOptions }),
  });
  return composite(count, [count, unit], ({ read, problem }) => {
    const value = read(count);
    if (value === undefined) return undefined;
    const chosen = read(unit);
    const factor = UNITS.find((one) => one.value === chosen)?.seconds;
    if (factor === undefined) return undefined;
    const within = (count: unknown) => {
      const seconds = exactDecimal((exactDecimal(count, DECIMALS) ?? NaN) * factor, 0);
      return seconds !== undefined && seconds >= options.least && seconds <= options.most ? seconds : undefined;
    };
    return (
      within(value) ??
      problem({
        label: options.label,
        found: lengthFound(value, String(chosen)),
        allowed:
          whatToType(value, { fits: (plain) => within(plain) !== undefined, decimals: DECIMALS }) ??
          `must be from ${range}`,
      })
    );
  });
}
