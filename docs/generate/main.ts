import { existingSchemaFiles, operationFiles, releasedFiles, schemaFiles, writeFiles } from './files';

/** What `npm run docs:operations`, `npm run schemas` and `npm run released:record` do. */
export const commands: Record<string, () => void> = {
  operations: () => writeFiles(operationFiles()),
  released: () => writeFiles(releasedFiles()),
  schemas: () => writeFiles(schemaFiles(), existingSchemaFiles()),
};

if (require.main === module) {
  const command = commands[process.argv[2] ?? ''];
  if (!command) throw new Error(`Usage: tsx docs/generate/main.ts ${Object.keys(commands).join('|')}`);
  command();
}
