import { Hash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { describeFailure } from '../messages/describe-failure';
import type { FailedAnswer } from '../model/failure';
import type { RequestResult } from '../model/results';
import type { FileOutput, PlannedRequest } from '../model/types';
import { describeList, fileName } from '../output/describe-list';
import { fileText, MIME_TYPES } from '../output/file-text';
import { formatRecord } from '../output/format-record';
import { reasonOf } from '../output/node-error';
import { readList, type ListEnd, type ListToRead } from '../service/fetch-list';
import { fallbackQuery } from '../service/filter-records';
import { LinkedFields } from './add-linked-fields';
import type { SharedRun } from './shared-run';
import { omittedSecrets } from './write-results';

/** Pages of output records, and then the end of the list or the failed response. */
type Pages = AsyncGenerator<IDataObject[], ListEnd | FailedAnswer, undefined>;

class FailedList extends Error {
  constructor(readonly answer: FailedAnswer) {
    super(answer.failure.message);
  }
}

/** Pages per parallel request that the node may keep while n8n writes the file. */
const MOST_AHEAD = 5;

/** @param listAt returns the list for a query. */
export async function exportList(
  shared: SharedRun,
  request: PlannedRequest,
  file: FileOutput,
  listAt: (query: IDataObject) => ListToRead,
): Promise<RequestResult> {
  const secrets = new Set<string>();
  const linked = new LinkedFields(shared, request);
  const pages = async function* (): Pages {
    let query = request.values.query;
    for (let isBegun = false; ;) {
      const [list, limit, fetchPage, parallel = 1, keeps] = listAt(query);
      const reading = readList(list, limit, fetchPage, parallel, keeps, MOST_AHEAD * parallel);
      let page = await reading.next();
      try {
        for (; !page.done; page = await reading.next()) {
          isBegun = true;
          for (const name of omittedSecrets(request, page.value)) secrets.add(name);
          const records = await linked.add(page.value);
          yield records.map((record) => formatRecord(request, record, request.values));
        }
      } finally {
        if (!page.done) await reading.return({ isCut: false });
      }
      const instead = 'ok' in page.value && !isBegun ? fallbackQuery(page.value, query, request) : undefined;
      if (!instead) return page.value;
      query = instead;
    }
  };
  const result = linked.withReason(await exportFile(shared, request, file, pages()));
  return result.kind === 'done' && secrets.size > 0 ? { ...result, withoutSecrets: [...secrets] } : result;
}

/** Writes the records of a response that isn't divided into pages. */
export async function exportRecords(
  shared: SharedRun,
  request: PlannedRequest,
  file: FileOutput,
  result: Extract<RequestResult, { kind: 'done' }>,
): Promise<RequestResult> {
  const { records } = result;
  const { limit = records.length } = request;
  const pages = async function* (): Pages {
    yield await Promise.resolve(records.slice(0, limit));
    return { isCut: limit < records.length };
  };
  const written = await exportFile(shared, request, file, pages());
  return written.kind === 'done' ? { ...result, ...written } : written;
}

/**
 * Writes the pages of a list to a file in n8n's storage, so that the node keeps only a few pages in memory. If a page
 * fails, n8n keeps no file.
 * @throws the error of a page that the node could not read.
 */
async function exportFile(
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
