import type { Money, MoneyRequest } from '../../pipeline/types';
import { isObject } from '../../shared/objects';

/** Writes that move no money, whatever becomes of them. */
const HARMLESS = [
  /^\/pg\/(ardef|balance|expireToken|tokenize|verify)$/,
  /^\/pg\/emailReceipt(\/|$)/,
  /^\/platform\/(aus|vault|webhook)(\/|$)/,
];

/** Writes that move what one field of their body says. */
const NAMED: Array<{ route: RegExp; by: string }> = [
  { route: /^POST \/pg\/(auth|credit|force|payment|sale)$/, by: 'amt_tran' },
  { route: /^POST \/pg\/(capture|recharge|refund)\/[^/]+$/, by: 'amt_tran' },
  { route: /^POST \/platform\/(checkout|plan|subscription)$/, by: 'amt_tran' },
  { route: /^PUT \/platform\/plan\/[^/]+$/, by: 'amt_tran' },
  { route: /^POST \/platform\/invoice$/, by: 'line_items' },
  { route: /^PUT \/platform\/invoice\/[^/]+\/draft$/, by: 'line_items' },
  { route: /^POST \/platform\/invoice\/[^/]+\/payments$/, by: 'amt_paid' },
  { route: /^PUT \/platform\/invoice\/[^/]+\/payments\/[^/]+$/, by: 'amt_paid' },
];

/** Requests that may name a plan, whose amounts then count instead of theirs. */
const ON_PLAN = /^\/platform\/(checkout|subscription)$/;

/**
 * How much a write of the person's own choice moves. Where a path takes no amount, or nobody knows whether it takes
 * one, an amount in the body proves nothing: it may be there to get past a limit.
 */
export function moneyOfPath({ method, path, values }: Pick<MoneyRequest, 'method' | 'path' | 'values'>): Money {
  if (HARMLESS.some((pattern) => pattern.test(path))) return 'named';
  const named = NAMED.find(({ route }) => route.test(`${method} ${path}`));
  return named && !(ON_PLAN.test(path) && namesPlan(values.body)) ? { by: named.by } : 'untold';
}

const namesPlan = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(namesPlan)
    : isObject(value) &&
      Object.entries(value).some(([name, inner]) => /^plan_(code|id)$/i.test(name) || namesPlan(inner));
