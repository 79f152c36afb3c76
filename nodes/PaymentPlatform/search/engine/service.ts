import { type IDataObject, type ILoadOptionsFunctions, type INode, NodeApiError } from 'n8n-workflow';
import { withoutLookUp } from '../../messages/describe-answers';
import { maskRecord } from '../../messages/scrubber';
import type { Answer, Failure } from '../../model/failure';
import type { Account } from '../../model/types';
import { typeRecord } from '../../output/format-record';
import { CREDENTIAL_NAME, readAccount, secretNameOf } from '../../service/account';
import { readRecords } from '../../service/decode-response';
import { fetchList } from '../../service/fetch-list';
import { isAfterEnd } from '../../service/page-requests';
import { sendHttpRequest } from '../../service/send';
import { isList } from '../../shared/objects';
import { chosenRecord } from './chosen';
import type { Query, Source } from './picker';

const INSTEAD = 'Until then, choose "By ID" and enter the ID.';

/** Codes for a rejected credential and for missing access (service.md#codes). */
const CREDENTIALS = 11;
const NO_ACCESS = 6;

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

/** @param secret name of the credential's secret. */
export function listRefused(node: INode, failure: Failure, of: string, secret: string): NodeApiError {
  const [message, description] = wordsFor(failure, of, secret);
  return said(node, message, description, failure.httpStatus);
}

export const noCredential = (node: INode): NodeApiError =>
  said(
    node,
    'No credential is selected',
    'Select or create a credential at the top of the node, and then open the list.',
  );

/** Returns an error whose description the editor shows (n8n.md#lists-in-the-editor). */
export function said(node: INode, message: string, description: string, httpStatus?: number): NodeApiError {
  const httpCode = httpStatus === undefined ? {} : { httpCode: String(httpStatus) };
  const error = new NodeApiError(node, { message }, { message, description, ...httpCode });
  // n8n replaces messages that contain the name of a system error, so the node sets its own texts again.
  error.message = message;
  error.description = description;
  return error;
}

const TIMEOUT_MS = 20_000;
/** The service documents no limit for parallel requests. */
const PARALLEL = 3;

/** Masked records, or the failure to read them. `more` is true if the list may have more records. */
export type Read = { records: IDataObject[]; more: boolean } | { failure: Failure };

const asListed = (record: IDataObject): IDataObject => typeRecord(maskRecord(record));

export class ListService {
  private constructor(
    private readonly context: ILoadOptionsFunctions,
    private readonly account: Account,
    private readonly source: Source,
    readonly secret: string,
  ) {}

  /** @throws NodeApiError if the credential is missing or invalid. */
  static async open(context: ILoadOptionsFunctions, source: Source): Promise<ListService> {
    const node = context.getNode();
    const credential = await context.getCredentials(CREDENTIAL_NAME).catch(() => undefined);
    if (!credential) throw noCredential(node);
    try {
      return new ListService(context, readAccount(credential, node), source, secretNameOf(credential));
    } catch (error) {
      const message = error instanceof Error ? error.message : "The node can't use the credential";
      throw said(node, message, 'Correct the credential, and then open the list again.');
    }
  }

  with(source: Source): ListService {
    return new ListService(this.context, this.account, source, this.secret);
  }

  /** Assumes that more records follow a full page. */
  async page(page: number, count: number): Promise<Read> {
    const answer = await this.ask({ count, page }, []);
    if (page > 0 && isAfterEnd(answer)) return { records: [], more: false };
    const records = answer.ok ? readRecords(answer, this.source, page) : answer;
    if (!isList(records)) return { failure: records.failure };
    return { records: records.map(asListed), more: records.length >= count };
  }

  async read(query: Query, most: number): Promise<Read> {
    const { filter, isBeyond, ...order } = query;
    const result = await fetchList(
      { identity: this.source.identity, ignoresNotes: true },
      most,
      async (page, count) => await this.ask({ ...order, count, page }, filter),
      PARALLEL,
    );
    if ('ok' in result) return { failure: result.failure };
    const last = result.records.at(-1);
    const more = result.records.length >= most && !(last && isBeyond?.(last));
    return { records: result.records.map(asListed), more };
  }

  private async ask(query: IDataObject, filters: string[]): Promise<Answer> {
    const { operation, filters: fixed = [] } = this.source;
    const filter = [...fixed, ...filters];
    return await sendHttpRequest(this.context, this.account, {
      method: 'GET',
      path: operation.request.path.replace(/\{(\w+)\}/, (_, name: string) => chosenRecord(this.context, name) ?? ''),
      family: 'platform',
      query: { ...query, ...(filter.length > 0 && { filter }) },
      timeoutMs: TIMEOUT_MS,
    });
  }
}
