import { existingSchemaFiles, operationFiles, schemaFiles, writeFiles } from './files';

/** What `npm run docs:operations` and `npm run schemas` do. */
export const commands: Record<string, () => void> = {
  operations: () => writeFiles(operationFiles()),
  schemas: () => writeFiles(schemaFiles(), existingSchemaFiles()),
};

if (require.main === module) {
  const command = commands[process.argv[2] ?? ''];
  if (!command) throw new Error(`Usage: tsx docs/generate/main.ts ${Object.keys(commands).join('|')}`);
  command();
}
