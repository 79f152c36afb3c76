import type { INodeProperties } from 'n8n-workflow';

type Conditions = Record<string, unknown[] | undefined>;

/**
 * Returns whether the resource and operation conditions show a parameter. Ignores all other conditions, because the
 * conditions depend on entered values. An empty resource or operation matches any value.
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
