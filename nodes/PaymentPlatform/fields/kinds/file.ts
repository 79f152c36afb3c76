import { asText } from '../../shared/objects';
import { GIVE_AS_TEXT, isRounded } from './number';
import type { FieldOptions, FileFacts, ValueField } from '../types';
import { valueField } from '../value';

interface FileOptions extends FieldOptions {
  type?: 'file';
  /** `mimeType`: in lower case. `kind`: name for messages, e.g. PDF. */
  mimeType: string;
  kind: string;
  startsWith?: string;
  /** In bytes. */
  mostBytes: number;
}

/** The node reads the content when it sends the request. */
export class FileToSend implements FileFacts {
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: number;
  readonly sha256: string;

  constructor(
    readonly property: string,
    { fileName, mimeType, bytes, sha256 }: FileFacts,
  ) {
    this.fileName = fileName;
    this.mimeType = mimeType;
    this.bytes = bytes;
    this.sha256 = sha256;
  }
}

/** Media types ignore case and can have parameters (RFC 9110). */
const mediaTypeOf = (text: string) => text.replace(/;.*$/s, '').trim().toLowerCase();

const MEGABYTE = 1024 * 1024;
const UNREADABLE = 'a file that n8n no longer stores';

/** Users enter the name of an input field that contains a file. The node checks the file before it sends the request. */
export const file = (options: FileOptions): ValueField =>
  valueField(options, { type: 'string', default: options.default ?? 'data' }, (value, problem, context) => {
    if (isRounded(value)) return problem(GIVE_AS_TEXT);
    const property = asText(value).trim();
    if (Array.isArray(value) || property.includes(','))
      return problem(`must name a single ${options.kind} file. Combine several files into one`, {
        found: 'several files',
      });
    const facts = context.file?.(property, options.mostBytes);
    if (!facts)
      return problem(
        `must be the name of an input field with the ${options.kind}, e.g. from a form or Read/Write Files from Disk`,
      );
    if (facts === 'unreadable') return problem('must be a readable file', { found: UNREADABLE });
    if (mediaTypeOf(facts.mimeType) !== options.mimeType)
      return problem(`must be a ${options.kind} file`, { found: `a file of the type ${facts.mimeType}` });
    const most = `must be a file of at most ${options.mostBytes / MEGABYTE} MB`;
    if (facts.bytes > options.mostBytes) return problem(most, { found: `${facts.bytes} bytes` });
    if (facts.bytes === 0) return problem('must not be an empty file', { found: 'an empty file' });
    if (options.startsWith !== undefined && !facts.start?.startsWith(options.startsWith))
      return problem(`must be a ${options.kind} file`, { found: `a file whose content is not ${options.kind}` });
    return new FileToSend(property, { ...facts, mimeType: options.mimeType });
  });
