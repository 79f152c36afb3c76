import type { INodeExecutionData } from 'n8n-workflow';

/**
 * Replaces an `error` of null or false in the first output item with text. n8n 2 then runs the node again, as n8n 1 does
 * for every `error` (n8n.md#items-and-errors).
 */
export function retriedByN8n1(output: INodeExecutionData[][]): INodeExecutionData[][] {
  const [[first, ...items] = [], ...others] = output;
  const { error } = first?.json ?? {};
  if (!first || (error !== null && error !== false)) return output;
  return [[{ ...first, json: { ...first.json, error: String(error) } }, ...items], ...others];
}
