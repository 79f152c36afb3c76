import { asText, objectsIn, only } from '../../shared/objects';
import type { Given, RecordOf, ValuesOf } from '../../model/operation';
import { CARD_FIELDS } from './fields';

type Body = ValuesOf<'addBillingCard'>['body'];
type Card = Given<RecordOf<'getBillingCards'>>;

function isShownBy(masked: string, number: string): boolean {
  const [, begin = '', end = ''] = /^(\d*)x+(\d*)$/.exec(masked) ?? [];
  return begin + end !== '' && masked.length === number.length && number.startsWith(begin) && number.endsWith(end);
}

/** Returns no fields if the node can't identify the new card with certainty. */
export function addedCard({ billing_cards: cards }: { billing_cards?: Card[] }, body: Body) {
  const number = asText(body.card_number ?? body.dda_number);
  const found = objectsIn([cards].flat()).filter(
    (card) =>
      card.card_id === body.card_id ||
      (number !== '' &&
        isShownBy(asText(card.card_number), number) &&
        (body.exp_date === undefined || card.exp_date === body.exp_date)),
  );
  const [card] = found;
  return found.length === 1 && card ? only(card, CARD_FIELDS) : {};
}
