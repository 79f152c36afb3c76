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

const INSTEAD = 'Until then choose "By ID" and enter the ID.';

/** Codes of the platform (service.md#codes). */
const CREDENTIALS = 11;
const NO_ACCESS = 6;

/** What a person reads in place of a list: what is wrong, and what to do. */
function wordsFor(failure: Failure, of: string, secret: string): [string, string] {
  const { outcome, message, advice, httpStatus, code } = failure;
  if (httpStatus === 429)
    return ['The service gets too many requests right now', `Wait a moment and open the list again. ${INSTEAD}`];
  if (httpStatus === 403 || code === NO_ACCESS)
    return [
      `This account is not allowed to list ${of}`,
      `Ask your provider to allow it for the ${secret} in the credential. ${INSTEAD}`,
    ];
  if (httpStatus === 401 || code === CREDENTIALS)
    return [
      'The service does not accept this credential',
      `Open the credential and compare Environment, Base URL, Merchant ID and ${secret} with what your provider gave you. ${INSTEAD}`,
    ];
  if (outcome === 'notSent' || httpStatus === undefined)
    return [
      'The service can not be reached',
      `${message}. Look at the Base URL in the credential and at the network, then open the list again. ${INSTEAD}`,
    ];
  return [message, [withoutLookUp(advice, 'Open the list again.'), INSTEAD].filter(Boolean).join(' ')];
}

/**
 * The error of a list in the editor, where there is no item.
 * @param secret what the credential holds, as it was chosen
 */
export function listRefused(node: INode, failure: Failure, of: string, secret: string): NodeApiError {
  const [message, description] = wordsFor(failure, of, secret);
  return said(node, message, description, failure.httpStatus);
}

/** n8n shows no list without a credential; whoever asks all the same reads this. */
export const noCredential = (node: INode): NodeApiError =>
  said(node, 'No credential is chosen', 'Choose or create a credential at the top of the node, then open the list.');

/**
 * An error whose description reaches the editor. The editor takes a dash in the message for the end of a sentence, and
 * offers the credential beside a status of 401 or 403 (n8n.md#lists-in-the-editor).
 */
export function said(node: INode, message: string, description: string, httpStatus?: number): NodeApiError {
  const httpCode = httpStatus === undefined ? {} : { httpCode: String(httpStatus) };
  const error = new NodeApiError(node, { message }, { message, description, ...httpCode });
  // n8n puts words of its own in place of a message in which it finds the name of a system error.
  error.message = message;
  error.description = description;
  return error;
}

const TIMEOUT_MS = 20_000;
/** Pages of one list that are asked for at once: somebody is typing, and the service has no known limit. */
const PARALLEL = 3;

/** Records of a list, with card numbers masked and of the types that all outputs have, and whether there are more than were read; or why there are none. */
export type Read = { records: IDataObject[]; more: boolean } | { failure: Failure };

const asListed = (record: IDataObject): IDataObject => typeRecord(maskRecord(record));

/** The service, as one picker asks it. */
export class ListService {
  private constructor(
    private readonly context: ILoadOptionsFunctions,
    private readonly account: Account,
    private readonly picker: Pick<Picker, 'path' | 'identity' | 'filters'>,
    /** What the credential holds, as it was chosen. */
    readonly secret: string,
  ) {}

  /** @throws NodeApiError when there is no credential, or none that can be used. */
  static async open(context: ILoadOptionsFunctions, picker: Picker): Promise<ListService> {
    const node = context.getNode();
    const credential = await context.getCredentials(CREDENTIAL_NAME).catch(() => undefined);
    if (!credential) throw noCredential(node);
    try {
      return new ListService(context, readAccount(credential, node), picker, secretNameOf(credential));
    } catch (error) {
      const message = error instanceof Error ? error.message : 'The credential can not be used';
      throw said(node, message, 'Open the credential, correct it and open the list again.');
    }
  }

  /** The same service, as it is asked for another list. */
  with(list: Pick<Picker, 'path' | 'identity'>): ListService {
    return new ListService(this.context, this.account, list, this.secret);
  }

  /** One page of the list in the service's own order; there is more after a full one, whatever the totals say. */
  async page(page: number, count: number): Promise<Read> {
    const answer = await this.ask({ count, page }, this.filters);
    if (!answer.ok) return { failure: answer.failure };
    const records = asRecords(answer.record).map(asListed);
    return { records, more: records.length >= count };
  }

  /** At most so many records, from the first one on. */
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
