import { isExpired } from '../../fields/kinds/card';
import { todayAtLeast } from '../../fields/kinds/date';
import type { ValuesOf } from '../../model/operation';
import { asText, objectsIn } from '../../shared/objects';
import { EXPIRED_CARD } from '../card/payment-source';

/** Says so when a card that is saved is over: nothing says that the service refuses it, and hardly anybody means it. */
export const noteExpiredCards = ({ body }: ValuesOf<'addCustomer' | 'updateCustomer'>): string | undefined =>
  objectsIn(body.billing_cards).some(({ exp_date: date }) => isExpired(asText(date), todayAtLeast()))
    ? EXPIRED_CARD
    : undefined;
