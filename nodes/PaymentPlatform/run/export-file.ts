import { Hash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { describeFailure } from '../messages/describe-failure';
import type { FailedAnswer } from '../model/failure';
import type { RequestResult } from '../model/results';
import type { FileOutput, PlannedRequest } from '../model/types';
import { describeList, fileName } from '../output/describe-list';
import { fileText, MIME_TYPES } from '../output/file-text';
import { reasonOf } from '../output/node-error';
import type { ListEnd } from '../service/fetch-list';
import type { SharedRun } from './shared-run';

/** Pages of output records, and then the end of the list or the failed response. */
export type Pages = AsyncGenerator<IDataObject[], ListEnd | FailedAnswer, undefined>;

class FailedList extends Error {
  constructor(readonly answer: FailedAnswer) {
    super(answer.failure.message);
  }
}

/**
 * Writes the pages of a list to a file in n8n's storage, so that the node keeps only a few pages in memory. If a page
 * fails, n8n keeps no file.
 * @throws the error of a page that the node could not read.
 */
export async function exportFile(
  { context }: Pick<SharedRun, 'context'>,
  request: PlannedRequest,
  file: FileOutput,
  pages: Pages,
): Promise<RequestResult> {
  const { items, operation, values, limit } = request;
  const name = fileName(operation, values, file.format);
  const read = new ReadPages(pages);
  // n8n's rules permit no import of node:stream, but every hash of Node.js is a stream.
  const stream = Hash.from(bytesOf(request, file, read));
  try {
    const data = await context.helpers.prepareBinaryData(stream, name, MIME_TYPES[file.format]);
    const { records, end } = read;
    const hints = [
      ...(end?.note === undefined ? [] : [end.note]),
      ...(end?.isCut ? [`The limit of ${limit} ended the list, which contains or may contain more records.`] : []),
    ];
    const json = {
      what_happened: describeList(operation, values, records),
      records,
      file_name: name,
      file_format: file.format,
      is_complete: hints.length === 0,
      hints,
    };
    if (end?.isCut) context.logger.warn(`Payment Platform: ${name}: ${hints.join(' ')}`);
    const note = [...(records === 0 ? [`${json.what_happened}.`] : []), ...hints].join(' ');
    return { items, kind: 'done', records: [json], binary: { [file.property]: data }, ...(note && { note }) };
  } catch (error) {
    const cause = read.error ?? error;
    if (cause instanceof FailedList)
      return { items, kind: 'failed', failure: describeFailure(cause.answer.failure, request) };
    if (read.error !== undefined) throw cause;
    const message = `n8n could not store the file: ${reasonOf(error)}`;
    return { items, kind: 'failed', failure: describeFailure({ outcome: 'unknown', message, advice: '' }, request) };
  } finally {
    stream.destroy();
  }
}

/** Counts the records, and keeps the end or the error of the list. */
class ReadPages {
  records = 0;
  end?: ListEnd;
  error?: unknown;

  constructor(private readonly pages: Pages) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<IDataObject[], void> {
    try {
      for (;;) {
        const { done, value } = await this.pages.next().catch((error: unknown) => this.fail(error));
        if (!done) {
          this.records += value.length;
          yield value;
        } else if ('failure' in value) this.fail(new FailedList(value));
        else return void (this.end = value);
      }
    } finally {
      await this.pages.return({ isCut: false });
    }
  }

  private fail(error: unknown): never {
    this.error = error;
    throw error;
  }
}

async function* bytesOf({ operation }: PlannedRequest, file: FileOutput, pages: ReadPages): AsyncGenerator<Buffer> {
  const { begin, page, end } = fileText(operation, file);
  yield Buffer.from(begin);
  for await (const records of pages) yield Buffer.from(page(records));
  yield Buffer.from(end);
}
