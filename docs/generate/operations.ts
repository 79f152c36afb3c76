import { writeArtefacts, type Artefacts } from './files';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { runOptions } from '../../nodes/PaymentPlatform/pipeline/options';
import type { Effect, Operation, Resource } from '../../nodes/PaymentPlatform/pipeline/types';
import { describedOperation } from './interface';
import { parameterRows } from './parameters';

const EFFECTS: Record<Effect, string> = {
  reads: 'Only reads. It is repeated by itself when the service does not answer or is too busy.',
  writesOnce:
    'Changes something each time it is applied. It is sent again by itself only if it certainly was not applied; where nobody knows, the item fails as unknown.',
  repeatsSafely:
    'Changes something, but applying it twice leaves the same state as applying it once. It is still sent again by itself only if it certainly was not applied.',
};

const INTRODUCTION = `# Operations

This page is generated from the declarations in \`nodes/PaymentPlatform/resources\` and from \`interface/openapi.yaml\` by
\`npm run docs:operations\`. Change those, not this page.

The column *Source* says where a parameter is known from: a section of the interface document, *reference* for public
reference material on the same interface, or *node* for what decides how the node works and is no field of the
interface by itself. *limits: reference* means that the field stands in the document and its limits do not.
Parameters inside an object or a list follow it, with the path of their names. Every operation also has the parameters
at the end of this page under [Options](#options).
`;

/** A text in a cell of a table: on one line, without what would end the cell or read as HTML. */
const cell = (text: string) =>
  text
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\|/g, '\\|')
    .replace(/</g, '&lt;');

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map((text) => cell(text)).join(' | ')} |`).join('\n');

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** "interface.md 2.7, operation 6" as a person reads it. */
const sourceText = (source: string) => source.replace(/^interface\.md\s*/, 'interface document, section ');

function requestLine(operation: Operation): string {
  const { method, path } = operation.request;
  return operation.shape ? 'any method and path below the base URL' : `\`${method} ${path}\``;
}

function listLine({ list }: Operation): string[] {
  if (!list) return [];
  const identity = list.identity ? `\`${list.identity}\`` : 'none known, so no record is taken for a repetition';
  return [
    `- **List**: *Return All* fetches every page; otherwise *Limit* (50 unless changed) records. Pages after the first are fetched at the same time. One item per record. What tells records apart: ${identity}.`,
  ];
}

function outputLine({ simplified, batch }: Operation): string[] {
  return [
    ...(batch
      ? [
          `- **Requests**: the \`${batch.field}\` of all items go out together, at most ${batch.most} in one request; one output item per request.`,
        ]
      : []),
    ...(simplified
      ? [`- **Simplify** (on unless switched off): only ${simplified.map((name) => `\`${name}\``).join(', ')}.`]
      : []),
  ];
}

function operationPart(resource: Resource, operation: Operation): string {
  const rows = parameterRows(operation).map(({ label, name, required, limits, description, source }) => [
    label,
    `\`${name}\``,
    required ? 'yes' : '',
    limits,
    description,
    source,
  ]);
  const effect = operation.shape ? 'As the person says in the parameters.' : EFFECTS[operation.request.effect];
  const lines = [
    `- **Stored as**: \`${resource.value}\` / \`${operation.value}\``,
    `- **Request**: ${requestLine(operation)}`,
    `- **Effect**: ${effect}`,
    `- **Source**: ${sourceText(operation.source)}${describedOperation(operation)?.['x-source'] === 'reference' ? ' (reference)' : ''}`,
    ...listLine(operation),
    ...outputLine(operation),
  ];
  const parameters =
    rows.length > 0
      ? table(['Label', 'Field name', 'Required', 'Limits and values', 'Description', 'Source'], rows)
      : 'No parameters of its own.';
  return `### ${resource.name}: ${operation.name}\n\n${sentence(operation.description)}\n\n${lines.join('\n')}\n\n${parameters}\n`;
}

/** The options of a run, each with the operations that offer it when not all do. */
function optionsPart(all: Resource[]): string {
  const operations = all.flatMap(({ operations }) => operations);
  const offered = new Map<string, { label: string; text: Set<string>; count: number }>();
  for (const operation of operations)
    for (const option of runOptions(operation).options ?? []) {
      if (!('displayName' in option) || !('type' in option)) continue;
      const entry = offered.get(option.name) ?? { label: option.displayName, text: new Set<string>(), count: 0 };
      entry.text.add(option.description ?? '');
      offered.set(option.name, { ...entry, count: entry.count + 1 });
    }
  const rows = [...offered].map(([name, { label, text, count }]) => [
    label,
    `\`options.${name}\``,
    count === operations.length ? 'all' : `${count} of ${operations.length}`,
    [...text].join(' / '),
  ]);
  return `## Options\n\n${table(['Label', 'Name', 'Operations', 'Description'], rows)}\n`;
}

/** The page docs/operations.md: every operation with its request, effect, parameters and list behaviour. */
export function operationsPage(): Artefacts {
  const parts = resources.map(
    (resource) =>
      `## ${resource.name}\n\n${sentence(resource.description)}\n\n${resource.operations
        .map((operation) => operationPart(resource, operation))
        .join('\n')}`,
  );
  return new Map([['docs/operations.md', [INTRODUCTION, ...parts, optionsPart(resources)].join('\n')]]);
}

if (require.main === module) writeArtefacts(operationsPage());
