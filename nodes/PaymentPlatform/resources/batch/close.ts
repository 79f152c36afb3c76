import type { IDataObject } from 'n8n-workflow';

import { currency, gatewayFields, IN_DOLLARS } from '../../fields/common';
import { operation } from '../../model/operation';
import { asText, exactJson, isList, isObject } from '../../shared/objects';
import { batchFootprint, findOpenTransaction } from './footprint';
import * as wire from '../../wire/operations';

const { body, request } = wire.closeBatch;

function batchesIn(info: unknown): IDataObject[] | undefined {
  try {
    const found = typeof info === 'string' ? exactJson(info) : info;
    const listed: unknown[] = isList(found) ? found : [found];
    return listed.every(isObject) ? listed : undefined;
  } catch {
    return undefined;
  }
}

export const close = operation({
  value: 'close',
  name: 'Close',
  action: 'Close open batch',
  description:
    'Close the open batch now, so that its captured transactions settle. By default, the service closes the batch daily at 9 PM Pacific time.',
  moneyEffect: '',
  request,
  fields: [currency(body.tran_currency, { fallback: IN_DOLLARS })],
  additional: gatewayFields(body),
  present: ({ batch_info: info, ...record }) => ({ ...record, batch_info: batchesIn(info) ?? info }),
  summary: ({ batch_info: info }) => {
    const [first, ...others] = batchesIn(info) ?? [];
    const count = others.length === 0 ? asText(first?.cnt_total) : '';
    const size = count === '' ? '' : ` with ${count} ${count === '1' ? 'transaction' : 'transactions'}`;
    return `Closed the open batch${size} for settlement.`;
  },
  steps: { sends: [request], each: [findOpenTransaction] },
  footprint: batchFootprint,
  affectsMerchant: true,
  sameObject: 'merchant_id',
  lookUp:
    'Look in Report > Get Many Batches for a batch that closed after this request. If the batch was closed, closing again affects only transactions that were captured later.',
});
