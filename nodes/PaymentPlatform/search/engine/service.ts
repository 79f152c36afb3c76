import { type IDataObject, type ILoadOptionsFunctions, type INode, NodeApiError } from 'n8n-workflow';
import { withoutLookUp } from '../../messages/describe-answers';
import { maskRecord } from '../../messages/scrubber';
import type { Answer, Failure } from '../../model/failure';
import type { Account } from '../../model/types';
import { typeRecord } from '../../output/format-record';
import { CREDENTIAL_NAME, readAccount, secretNameOf } from '../../service/account';
import { fetchList } from '../../service/fetch-list';
import { sendHttpRequest } from '../../service/send';
import { asRecords } from '../../shared/objects';
import type { Picker, Query } from './picker';

const INSTEAD = 'Until then, choose "By ID" and enter the ID.';

/** Codes of the platform for a rejected credential and for missing access (service.md#codes). */
const CREDENTIALS = 11;
const NO_ACCESS = 6;

/** Returns the message and the advice that the editor shows if the node can't read a list. */
function wordsFor(failure: Failure, of: string, secret: string): [string, string] {
  const { outcome, message, advice, httpStatus, code } = failure;
  if (httpStatus === 429)
    return ['The service is receiving too many requests', `Wait a moment, and then open the list again. ${INSTEAD}`];
  if (httpStatus === 403 || code === NO_ACCESS)
    return [
      `This account can't list ${of}`,
      `Ask your provider to enable this access for the ${secret} in the credential. ${INSTEAD}`,
    ];
  if (httpStatus === 401 || code === CREDENTIALS)
    return [
      'The service does not accept this credential',
      `Open the credential and compare the Environment, Base URL, Merchant ID and ${secret} with the values from your provider. ${INSTEAD}`,
    ];
  if (outcome === 'notSent' || httpStatus === undefined)
    return [
      "The node can't reach the service",
      `${message}. Check the Base URL in the credential and the network connection, and then open the list again. ${INSTEAD}`,
    ];
  return [message, [withoutLookUp(advice, 'Open the list again.'), INSTEAD].filter(Boolean).join(' ')];
}

/**
 * Returns the editor's error for a list that the node can't read.
 * @param secret name of the credential's secret.
 */
export function listRefused(node: INode, failure: Failure, of: string, secret: string): NodeApiError {
  const [message, description] = wordsFor(failure, of, secret);
  return said(node, message, description, failure.httpStatus);
}

/** Returns the error for a missing credential. n8n usually doesn't show lists without a credential. */
export const noCredential = (node: INode): NodeApiError =>
  said(
    node,
    'No credential is selected',
    'Select or create a credential at the top of the node, and then open the list.',
  );

/**
 * Returns an error whose description reaches the editor. The editor truncates the message at a dash. For the statuses
 * 401 and 403, the editor suggests checking the credential (n8n.md#lists-in-the-editor).
 */
export function said(node: INode, message: string, description: string, httpStatus?: number): NodeApiError {
  const httpCode = httpStatus === undefined ? {} : { httpCode: String(httpStatus) };
  const error = new NodeApiError(node, { message }, { message, description, ...httpCode });
  // n8n replaces messages that contain the name of a system error, so the node sets its own texts again.
  error.message = message;
  error.description = description;
  return error;
}

const TIMEOUT_MS = 20_000;
/**
 * Maximum number of parallel requests for the pages of a list. Parallel requests shorten the waiting time, but the
 * service documents no limit.
 */
const PARALLEL = 3;

/**
 * Result of reading a list. `records` contains masked records with consistent types, and `more` is true if the list has
 * more records. If the node can't read the list, the result contains the failure.
 */
export type Read = { records: IDataObject[]; more: boolean } | { failure: Failure };

const asListed = (record: IDataObject): IDataObject => typeRecord(maskRecord(record));

/** Sends the requests of a list search to the service. */
export class ListService {
  private constructor(
    private readonly context: ILoadOptionsFunctions,
    private readonly account: Account,
    private readonly picker: Pick<Picker, 'path' | 'identity' | 'filters'>,
    /** Name of the credential's secret. */
    readonly secret: string,
  ) {}

  /**
   * Creates a service from the credential that the user selected in the node.
   * @throws NodeApiError if the credential is missing or invalid.
   */
  static async open(context: ILoadOptionsFunctions, picker: Picker): Promise<ListService> {
    const node = context.getNode();
    const credential = await context.getCredentials(CREDENTIAL_NAME).catch(() => undefined);
    if (!credential) throw noCredential(node);
    try {
      return new ListService(context, readAccount(credential, node), picker, secretNameOf(credential));
    } catch (error) {
      const message = error instanceof Error ? error.message : "The node can't use the credential";
      throw said(node, message, 'Correct the credential, and then open the list again.');
    }
  }

  /** Returns a service for another list of the same account. */
  with(list: Pick<Picker, 'path' | 'identity'>): ListService {
    return new ListService(this.context, this.account, list, this.secret);
  }

  /**
   * Reads a page of the list in the service's order. Assumes that the list has more records if the page is full,
   * regardless of the totals in the response.
   */
  async page(page: number, count: number): Promise<Read> {
    const answer = await this.ask({ count, page }, this.filters);
    if (!answer.ok) return { failure: answer.failure };
    const records = asRecords(answer.record).map(asListed);
    return { records, more: records.length >= count };
  }

  /**
   * Reads records from the beginning of the list.
   * @param most maximum number of records.
   */
  async read(query: Query, most: number): Promise<Read> {
    const { filter, isBeyond, ...order } = query;
    const result = await fetchList(
      { identity: this.picker.identity, fields: [] },
      most,
      async (page, count) => await this.ask({ ...order, count, page }, [...this.filters, ...filter]),
      PARALLEL,
    );
    if ('ok' in result) return { failure: result.failure };
    const last = result.records.at(-1);
    const more = result.records.length >= most && !(last && isBeyond?.(last));
    return { records: result.records.map(asListed), more };
  }

  private get filters(): string[] {
    return this.picker.filters?.(this.context) ?? [];
  }

  private async ask(query: IDataObject, filter: string[]): Promise<Answer> {
    return await sendHttpRequest(this.context, this.account, {
      method: 'GET',
      path: this.picker.path,
      family: 'platform',
      query: { ...query, ...(filter.length > 0 && { filter }) },
      timeoutMs: TIMEOUT_MS,
    });
  }
}
