import { isExpired } from '../../fields/card-formats';
import { todayAtLeast } from '../../fields/kinds/date';
import type { ValuesOf } from '../../model/operation';
import { asText, objectIn, objectsIn } from '../../shared/objects';
import { EXPIRED_CARD } from '../card/payment-source';

const STARTED =
  'A subscription starts in the past. It was sent as it is: look at "date_next" in the output for the day of the next payment, and cancel the subscription if the Start Date was a slip.';

/** What is looked at of a subscription that is made or changed. */
interface Begun {
  body: Pick<ValuesOf<'addSubscription'>['body'], 'date_start' | 'customer'>;
}

/** What the service takes although it is over: nothing says that it refuses it, and hardly anybody means it. */
export function notePast({ body }: Begun): string | undefined {
  const today = todayAtLeast();
  const start = asText(body.date_start).slice(0, 10);
  const cards = objectsIn(objectIn(body.customer).billing_cards);
  const notes = [
    ...(start !== '' && start < today.toFormat('yyyy-MM-dd') ? [STARTED] : []),
    ...(cards.some(({ exp_date: date }) => isExpired(asText(date), today)) ? [EXPIRED_CARD] : []),
  ];
  return notes.length > 0 ? notes.join(' ') : undefined;
}
