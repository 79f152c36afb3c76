import type { Handler } from '../calls/call';
import { isExpirationDate, readCardNumber } from '../core/cards';
import { success } from '../core/envelopes';
import { invalidFields } from '../core/refusals';
import { platformMerchant } from '../rules/merchants';
import { createUpdaterRequest, LARGEST_REQUEST } from '../rules/updater';

const WRONG_NUMBER = '320';
const WRONG_EXPIRATION = '315';

/** Submits up to 100 cards to the account updater. Rejects unusable cards individually. */
export const submitAccountUpdater: Handler<'submitAccountUpdater'> = ({ environment, body }) => {
  if (body.data.length === 0) throw invalidFields({ data: 'must hold at least one card' });
  if (body.data.length > LARGEST_REQUEST) throw invalidFields({ data: `must hold at most ${LARGEST_REQUEST} cards` });
  const rejected_cards = body.data.flatMap(({ card_number, exp_date, card_id = '' }) => {
    if (!readCardNumber(card_number)) return [{ card_id, reject_reason: WRONG_NUMBER }];
    return isExpirationDate(exp_date) ? [] : [{ card_id, reject_reason: WRONG_EXPIRATION }];
  });
  const cards = body.data.flatMap(({ card_number, exp_date, card_id = '' }) => {
    const source = isExpirationDate(exp_date) ? readCardNumber(card_number) : undefined;
    return source ? [{ card_id, masked: source.masked, exp_date }] : [];
  });
  const merchant_id = platformMerchant(environment, undefined);
  const { request_id } = createUpdaterRequest(
    environment,
    { merchant_id, method: 'harvest_api', cardCount: body.data.length, rejected_cards, cards },
    { hours: 0 },
  );
  return success({ request_id: String(request_id) });
};
