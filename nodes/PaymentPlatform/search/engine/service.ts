import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { CREDENTIAL_NAME, readAccount, secretNameOf } from '../../service/account';
import { fetchList } from '../../service/fetch-list';
import { asRecords } from '../../shared/objects';
import { maskRecord } from '../../messages/mask-records';
import { sendHttpRequest } from '../../service/send';
import { typeRecord } from '../../output/type-record';
import type { Account } from '../../model/types';
import type { Answer, Failure } from '../../model/failure';
import type { Picker } from './picker';
import type { Query } from './queries';
import { noCredential, said } from './refusal';

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
