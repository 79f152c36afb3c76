import { asText } from '../shared/objects';
import type { FieldOptions, ValueField } from './types';
import { valueField } from './value';

export interface FileOptions extends FieldOptions {
  /** What the service takes, e.g. application/pdf, and how a person says it, e.g. PDF. */
  mimeType: string;
  kind: string;
  /** Greatest size in bytes. */
  mostBytes: number;
}

const MEGABYTE = 1024 * 1024;

/**
 * A file of the item, by the name of its binary property. Kind and size are checked before anything is sent; what is
 * sent stands for the content as name, kind, size and hash until then.
 */
export const file = (options: FileOptions): ValueField =>
  valueField(options, { type: 'string', default: options.default ?? 'data' }, (value, problem, context) => {
    const property = asText(value).trim();
    const facts = context.file?.(property);
    if (!facts) return problem('must name a binary property of the input item that holds a file');
    if (facts.mimeType !== options.mimeType)
      return problem(`must be a ${options.kind} file`, { found: `a file of the type ${facts.mimeType}` });
    const most = `must be a file of at most ${options.mostBytes / MEGABYTE} MB`;
    if (facts.bytes > options.mostBytes) return problem(most, { found: `${facts.bytes} bytes` });
    if (facts.bytes === 0) return problem('must be a file with content', { found: 'an empty file' });
    return { property, ...facts };
  });
