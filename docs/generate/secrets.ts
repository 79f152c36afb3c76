import { bodyOf, describedOperations, propertiesOf, resolve, type Schema } from './interface-document';

/**
 * Returns the paths of a schema's secret fields in n8n's notation: `auth_settings.user_password`, `cards[*].number`.
 */
function secretPaths(schema: Schema, prefix = ''): string[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, own]) => {
    const { items, ...rest } = resolve(own);
    if (rest['x-secret']) return [`${prefix}${name}`];
    return items ? secretPaths(items, `${prefix}${name}[*].`) : secretPaths(own, `${prefix}${name}.`);
  });
}

/** Returns the response fields that the interface declares secret, as paths in the output items. */
export function secretOutputFields(): string[] {
  const paths = describedOperations().flatMap(({ operation }) => {
    const { schema } = bodyOf(operation.responses['200']);
    return schema ? secretPaths(schema) : [];
  });
  // The output has no envelope: `data` is unwrapped, and each record of a list is an item.
  return [...new Set(paths.map((path) => path.replace(/^data(\[\*\])?\./, '')))].sort();
}
