import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { createHash } from 'node:crypto';
import { FileToSend } from '../fields/kinds/file';
import type { FindFile } from '../fields/types';
import type { Failure } from '../model/failure';
import type { PlannedRequest } from '../model/types';
import { asText } from '../shared/objects';

export type FileFound = ReturnType<FindFile>;

/** Contents by field, which the node keeps in memory only while it sends the request. */
export type FileContents = ReadonlyMap<string, Buffer>;

export const CHANGED_FILE: Failure = {
  outcome: 'invalid',
  message: 'The file of this item was changed or deleted after the node checked it, so nothing was sent',
  advice: 'Rerun the node that provides the file.',
};

/** Omits the file's content. */
export async function factsOf(
  context: IExecuteFunctions,
  itemIndex: number,
  property: string,
  mostBytes: number,
): Promise<FileFound> {
  const binary = binaryOf(context, itemIndex, property);
  if (!binary) return undefined;
  try {
    const named = { fileName: asText(binary.fileName ?? property), mimeType: asText(binary.mimeType) };
    const stored = binary.id === undefined ? 0 : (await context.helpers.getBinaryMetadata(binary.id)).fileSize;
    if (stored > mostBytes) return { ...named, bytes: stored, start: '', sha256: '' };
    const content = await context.helpers.getBinaryDataBuffer(itemIndex, property);
    return { ...named, bytes: content.length, start: startOf(content), sha256: hashOf(content) };
  } catch {
    return 'unreadable';
  }
}

export const readFiles = ({ values: { body } }: PlannedRequest): FileToSend[] =>
  Object.values(body).flatMap((value) => (value instanceof FileToSend ? [value] : []));

/**
 * Reads the files immediately before sending.
 * @returns "changed" if a file changed after the check or can't be read.
 */
export async function readContents(
  context: IExecuteFunctions,
  { items: [item = 0], values: { body } }: PlannedRequest,
): Promise<FileContents | 'changed'> {
  const contents = new Map<string, Buffer>();
  for (const [name, value] of Object.entries(body)) {
    if (!(value instanceof FileToSend)) continue;
    const content = await contentOf(context, item, value);
    if (!content) return 'changed';
    contents.set(name, content);
  }
  return contents;
}

async function contentOf(context: IExecuteFunctions, item: number, { property, sha256 }: FileToSend) {
  try {
    const content = await context.helpers.getBinaryDataBuffer(item, property);
    return hashOf(content) === sha256 ? content : undefined;
  } catch {
    return undefined;
  }
}

function binaryOf(context: IExecuteFunctions, itemIndex: number, property: string): IBinaryData | undefined {
  try {
    return context.helpers.assertBinaryData(itemIndex, property);
  } catch {
    return undefined;
  }
}

const startOf = (content: Buffer) => content.subarray(0, 8).toString('latin1');

const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');

export function buildForm(fields: IDataObject, contents: FileContents): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    const content = contents.get(name);
    if (content && value instanceof FileToSend)
      form.append(name, new Blob([content], { type: value.mimeType }), value.fileName);
    else form.append(name, asText(value));
  }
  return form;
}
