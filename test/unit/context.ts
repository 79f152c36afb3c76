import type { IExecuteFunctions, INode } from 'n8n-workflow';

type Expressions = Record<string, (itemIndex: number) => unknown>;

/** Creates the part of n8n's context that the node uses to plan requests. */
export function contextOf(
  parameters: Record<string, unknown>,
  { expressions = {}, type = 'paymentPlatform' }: { expressions?: Expressions; type?: string } = {},
): IExecuteFunctions {
  const evaluate = (value: unknown, item: number): unknown => {
    if (typeof value === 'string' && value.startsWith('=')) return expressions[value.slice(1)]?.(item);
    if (Array.isArray(value)) return value.map((one) => evaluate(one, item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, evaluate(inner, item)]));
  };
  const at = (path: string) =>
    path
      .split('.')
      .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], parameters);
  return {
    getNodeParameter: (path: string, item: number, fallback: unknown) => evaluate(at(path) ?? fallback, item),
    getInputData: () => [],
    getWorkflow: () => ({ id: 'workflow' }),
    getNode: () => ({ name: 'Payment Platform', type, parameters }) as unknown as INode,
    getTimezone: () => 'America/New_York',
  } as unknown as IExecuteFunctions;
}

/** Throws the error that n8n throws if an expression refers to a node without data. */
export const throws = () => {
  throw new Error("Node 'CRM' hasn't been executed");
};
