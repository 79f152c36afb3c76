import { bodyOf, describedOperations, propertiesOf, resolve, type Schema } from './interface-document';

/** Returns the paths of secret fields in n8n's notation, for example `cards[*].number`. */
function secretPaths(schema: Schema, prefix = ''): string[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, own]) => {
    const { items, ...rest } = resolve(own);
    if (rest['x-secret']) return [`${prefix}${name}`];
    return items ? secretPaths(items, `${prefix}${name}[*].`) : secretPaths(own, `${prefix}${name}.`);
  });
}

export function secretOutputFields(): string[] {
  const paths = describedOperations().flatMap(({ operation }) => {
    const { schema } = bodyOf(operation.responses['200']);
    return schema ? secretPaths(schema) : [];
  });
  // The output omits the envelope's `data` around the records.
  return [...new Set(paths.map((path) => path.replace(/^data(\[\*\])?\./, '')))].sort();
}
