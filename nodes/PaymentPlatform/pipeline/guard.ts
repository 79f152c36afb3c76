import type { IDataObject } from 'n8n-workflow';

import type { Field, Problem } from '../fields/types';
import { isObject } from './objects';
import type { Account, FieldValues, Operation, ItemOptions } from './types';

/** Every amount of the interface is named so, apart from the unit cost of an invoice line and a tax amount. */
const AMOUNT_NAME = /^amt_|^unit_cost$/;

/** Whether a request of the operation can carry an amount of money. */
export function takesAmounts({ fields, additional = [], request, shape }: Operation): boolean {
  const has = (list: Field[]): boolean =>
    list.some(({ name, fields: inner = [] }) => AMOUNT_NAME.test(name) || has(inner));
  return request.effect !== 'reads' && (shape !== undefined || has([...fields, ...additional]));
}

/**
 * Options that keep money where it is: the test environment only, and no amount above a limit. Looks at all that would
 * be sent, at any depth, and at the total of an invoice's lines.
 */
export function guardProblems(values: FieldValues, account: Account, options: ItemOptions): Problem[] {
  const problems: Problem[] = [];
  if (options.requireTest && account.environment === 'production')
    problems.push({
      label: 'Require Test Environment',
      found: 'a credential for Production',
      allowed: 'allows the test environment only',
    });
  const { maxAmount } = options;
  if (maxAmount === undefined) return problems;
  for (const { name, amount } of [...amountsIn(values.body), ...invoiceTotal(values.body)])
    if (Math.abs(amount) > maxAmount)
      problems.push({
        label: 'Refuse Amounts Above',
        found: `${name} ${amount}`,
        allowed: `allows at most ${maxAmount}`,
      });
  return problems;
}

function amountsIn(value: unknown): Array<{ name: string; amount: number }> {
  if (Array.isArray(value)) return value.flatMap(amountsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    AMOUNT_NAME.test(name) && !Number.isNaN(Number(inner)) ? [{ name, amount: Number(inner) }] : amountsIn(inner),
  );
}

/** What an invoice asks for: its lines and its tax (interface.md section 2.7). */
function invoiceTotal({ line_items: lines, sales_tax: tax }: IDataObject): Array<{ name: string; amount: number }> {
  if (!Array.isArray(lines)) return [];
  const net = (lines as IDataObject[]).reduce(
    (sum, line) => sum + Number(line.quantity ?? 0) * Number(line.unit_cost ?? 0),
    0,
  );
  const rate = isObject(tax) ? Number(tax.value ?? 0) : 0;
  const total = isObject(tax) && tax.type === 'AMOUNT' ? net + rate : net * (1 + rate / 100);
  return [{ name: 'invoice total', amount: Number(total.toFixed(2)) }];
}
