import { kindsOfFields } from '../interface/generate/meanings';
import type { Kind } from '../nodes/PaymentPlatform/wire/kinds';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(Z|[+-]\d\d:\d\d)$/;

const HOLDS: Record<Kind, (value: unknown) => boolean> = {
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  text: (value) => typeof value === 'string',
  flag: (value) => typeof value === 'boolean',
  day: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value),
  instant: (value) => typeof value === 'string' && INSTANT.test(value),
  pacificInstant: (value) => typeof value === 'string' && INSTANT.test(value),
};

const { byName, within } = kindsOfFields();

/** Returns the paths of the output values whose type doesn't match the field's meaning. */
export function misfits(output: unknown, name = '', parent = '', path = ''): string[] {
  if (Array.isArray(output)) return output.flatMap((one: unknown, at) => misfits(one, name, parent, `${path}[${at}]`));
  if (typeof output === 'object' && output !== null)
    return Object.entries(output).flatMap(([field, value]) => misfits(value, field, name, `${path}.${field}`));
  const kind = within.get(`${parent}.${name}`) ?? byName.get(name);
  if (kind === undefined || output === null || output === undefined || HOLDS[kind](output)) return [];
  return [`${path} is no ${kind}: ${JSON.stringify(output)}`];
}
