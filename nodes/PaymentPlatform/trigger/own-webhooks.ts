import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';
import type { Target } from './target';

const isMarked = (record: IDataObject, { mark }: Target) => asText(record.label).endsWith(mark);

/** The webhooks of a list that this node made at this address, for this kind of run. */
export const own = (listed: IDataObject[], target: Target): IDataObject[] =>
  listed.filter((record) => isMarked(record, target) && record.notification_url === target.notification_url);

/** Those under the same mark at another address: of a clone of this n8n, or of a time when it had another address. */
export function elsewhere(listed: IDataObject[], target: Target): IDataObject[] {
  const here = own(listed, target);
  return listed.filter((one) => isMarked(one, target) && one.status !== 'DISABLED' && !here.includes(one));
}
