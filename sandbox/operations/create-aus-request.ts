import type { Handler } from '../calls/call';
import type { PaymentSource } from '../core/cards';
import { success } from '../core/envelopes';
import { invalidFields } from '../core/refusals';
import { platformMerchant } from '../rules/merchants';
import { createUpdaterRequest, LARGEST_REQUEST, savedSource } from '../rules/updater';
import type { UpdaterRequest } from '../state/records';

const HOURS_IN_PROGRESS = 1;

/** Submits up to 100 saved cards to the account updater. Rejects unusable cards individually. */
export const createAusRequest: Handler<'createAusRequest'> = ({ environment, body: { card_id: ids } }) => {
  if (ids.length === 0) throw invalidFields({ card_id: 'must hold at least one card' });
  if (ids.length > LARGEST_REQUEST) throw invalidFields({ card_id: `must hold at most ${LARGEST_REQUEST} cards` });
  if (new Set(ids).size < ids.length) throw invalidFields({ card_id: 'must not hold a card twice' });
  const merchant_id = platformMerchant(environment, undefined);
  const rejected_cards: UpdaterRequest['rejected_cards'] = [];
  const cards: UpdaterRequest['cards'] = [];
  for (const card_id of ids) {
    const source = savedSource(environment, merchant_id, card_id);
    const reject_reason = rejectionOf(source, environment.heldCards.has(card_id));
    if (reject_reason !== undefined) rejected_cards.push({ card_id, reject_reason });
    else if (source) cards.push({ card_id, masked: source.masked, exp_date: source.exp_date });
  }
  const { request_id } = createUpdaterRequest(
    environment,
    { merchant_id, method: 'harvest_card_id', cardCount: ids.length, rejected_cards, cards },
    { hours: HOURS_IN_PROGRESS },
  );
  return success({ request_id });
};

function rejectionOf(source: PaymentSource | undefined, isHeld: boolean): string | undefined {
  if (!source) return 'Card ID not found';
  if (source.card_type === 'AP') return 'Card type not supported';
  return isHeld ? 'Card is on hold' : undefined;
}
