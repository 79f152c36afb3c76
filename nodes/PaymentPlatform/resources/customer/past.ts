import { isExpired } from '../../fields/kinds/card';
import { todayAtLeast } from '../../fields/kinds/date';
import type { ValuesOf } from '../../model/operation';
import { asText, objectsIn } from '../../shared/objects';
import { EXPIRED_CARD } from '../card/payment-source';

/** Using an expired card is usually a mistake. */
export const noteExpiredCards = ({ body }: ValuesOf<'addCustomer' | 'updateCustomer'>): string | undefined =>
  objectsIn(body.billing_cards).some(({ exp_date: date }) => isExpired(asText(date), todayAtLeast()))
    ? EXPIRED_CARD
    : undefined;
