import type { INodeProperties } from 'n8n-workflow';

type Conditions = Record<string, unknown[] | undefined>;

/**
 * Returns whether the editor shows a parameter for a resource and operation. An empty name matches all. Ignores
 * conditions on entered values.
 */
export function isShownFor(
  { resource, operation }: { resource: string; operation: string },
  { displayOptions }: Pick<INodeProperties, 'displayOptions'>,
): boolean {
  const show = (displayOptions?.show ?? {}) as Conditions;
  const hide = (displayOptions?.hide ?? {}) as Conditions;
  const selectors = { resource, operation, '/resource': resource, '/operation': operation };
  return Object.entries(selectors).every(
    ([name, value]) => value === '' || ((show[name]?.includes(value) ?? true) && !hide[name]?.includes(value)),
  );
}
