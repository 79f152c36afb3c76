import { markFiles } from './marks';
import { kindFiles } from './meanings';
import { recordNameFiles } from './records';
import { typeFiles } from './types';
import { wireFiles } from './wire';
import { wordFiles } from './words';
import { writeFiles } from './written';

/** Steps of `npm run generate`. Each imports its code when it runs, because it depends on earlier steps. */
export const steps: Record<string, () => Promise<void>> = {
  types: async () => await Promise.resolve(writeFiles(typeFiles())),
  wire: async () =>
    await Promise.resolve(
      writeFiles({ ...wireFiles(), ...markFiles(), ...wordFiles(), ...kindFiles(), ...recordNameFiles() }),
    ),
  operations: async () => writeFiles((await declared()).operationFiles()),
  codes: async () => writeFiles((await declared()).codeFiles()),
  messages: async () => writeFiles((await declared()).messageFiles()),
  records: async () => writeFiles((await declared()).recordFiles()),
  schemas: async () => {
    const { existingSchemaFiles, schemaFiles } = await declared();
    writeFiles(schemaFiles(), existingSchemaFiles());
  },
  released: async () => writeFiles((await declared()).releasedFiles()),
  readme: async () => writeFiles((await declared()).readmeFiles()),
};

const declared = async () => await import('./files');

async function main(names: string[]): Promise<void> {
  const unknown = names.filter((name) => !(name in steps));
  if (unknown.length > 0) throw new Error(`Usage: npm run generate [-- ${Object.keys(steps).join(' ')}]`);
  for (const [name, step] of Object.entries(steps)) if (names.length === 0 || names.includes(name)) await step();
}

if (require.main === module) void main(process.argv.slice(2));
