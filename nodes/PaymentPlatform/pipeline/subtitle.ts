import type { Resource } from './types';

/** As on a button: "Add a payment to an invoice" is "Add payment to invoice". */
const withoutArticles = (action: string) => action.replace(/\b(an?|the) /g, '');

/**
 * What the node does, in words, for the line under its name: an expression, which the editor evaluates. The stored values
 * are looked up, for they are no words ("getAll").
 */
export function operationSubtitle(resources: Resource[]): string {
  const words = resources.flatMap(({ value: resource, operations }) =>
    operations.map(({ value, action }) => [`${resource}.${value}`, withoutArticles(action)] as const),
  );
  return `={{ (${JSON.stringify(Object.fromEntries(words))})[$parameter["resource"] + "." + $parameter["operation"]] ?? "" }}`;
}
