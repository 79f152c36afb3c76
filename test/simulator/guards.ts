import type { Edits } from './parameters';
import type { Item, Schedule } from './schedule';
import type { Sent } from './sent';

/** Returns the limit that a request exceeds, computed independently of the node. */
export function guardViolation(schedule: Schedule, edits: Edits, item: Item, sent: Sent): string | undefined {
  const { options, caller } = schedule;
  const tool = caller !== 'items';
  const { allowed } = options;
  if (allowed?.hasBlank) return 'sent although "Allowed IDs" contains a blank entry';
  if (allowed?.objects.includes(item.object) === false) return 'sent although its ID is not allowed';
  const limit = edits.limitPerItem ?? options.limitPerItem;
  if (limit !== undefined) {
    const most = limit === 'item' ? readLimit(item.limit) : limit;
    if (most === undefined) return `sent although its limit can't be read (${JSON.stringify(item.limit)})`;
    const cents = (sent.cents ?? 0) + (sent.fee ?? 0);
    if (cents > most) return `${cents} cents sent although the limit is ${most}`;
  }
  const test = options.testEnvironmentOnly ?? (tool ? true : undefined);
  const wanted = test === 'item' ? readSwitch(item.test) : test;
  if (test !== undefined && wanted === undefined)
    return `sent although it can't be read whether the test environment is required (${JSON.stringify(item.test)})`;
  if (wanted && sent.environment === 'production')
    return 'sent to Production although the test environment is required';
  return undefined;
}

function readLimit(value: unknown): number | undefined {
  if (typeof value === 'number') return value * 100;
  return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) * 100 : undefined;
}

function readSwitch(value: unknown): boolean | undefined {
  if (value === true || value === 'true' || value === 1) return true;
  return value === false || value === 'false' ? false : undefined;
}
