const REFERENCE_BYTES = 8;
const CONSTANT_BYTES = 16;

/** Returns code that creates a JSON value. Repeated parts become constants. */
export function shareRepeatedText(value: unknown): string {
  const occurrences = countOccurrences(value);
  const isShared = (text: string) => {
    const more = (occurrences.get(text) ?? 1) - 1;
    return more * (text.length - REFERENCE_BYTES) > CONSTANT_BYTES + REFERENCE_BYTES;
  };
  const names = new Map<string, string>();
  const constants: string[] = [];
  const write = (part: unknown): string => {
    const text = JSON.stringify(part);
    if (!isShared(text)) return writeParts(part, write);
    let name = names.get(text);
    if (name === undefined) {
      const content = writeParts(part, write);
      name = `t${names.size}`;
      names.set(text, name);
      constants.push(`  const ${name} = \`${content}\`;\n`);
    }
    return `\${${name}}`;
  };
  const text = write(value);
  return `${constants.join('')}  return JSON.parse(\`${text}\`);\n`;
}

function writeParts(part: unknown, write: (part: unknown) => string): string {
  if (Array.isArray(part)) return `[${part.map(write).join(',')}]`;
  if (typeof part !== 'object' || part === null) return escape(JSON.stringify(part));
  const members = Object.entries(part).filter(([, value]) => value !== undefined);
  return `{${members.map(([key, value]) => `${escape(JSON.stringify(key))}:${write(value)}`).join(',')}}`;
}

const escape = (json: string): string => json.replace(/[\\`]|\$\{/g, '\\$&');

/** The generated code contains each repeated object only once. */
function countOccurrences(value: unknown): Map<string, number> {
  const occurrences = new Map<string, number>();
  const visit = (part: unknown): void => {
    if (part === undefined) return;
    const text = JSON.stringify(part);
    const count = (occurrences.get(text) ?? 0) + 1;
    occurrences.set(text, count);
    if (count === 1 && typeof part === 'object' && part !== null) Object.values(part).forEach(visit);
  };
  visit(value);
  return occurrences;
}
