import type { Call } from '../calls/call';
import type { Handlers } from '../calls/described';
import { isExpirationDate, type PaymentSource, readCardNumber } from '../core/cards';
import { success } from '../core/envelopes';
import { listAnswer, type ListQuery, wholeList } from '../core/lists';
import { invalidFields, PlatformRefusal } from '../core/refusals';
import { without } from '../core/without';
import { findVaultCustomer } from '../rules/customers';
import { platformMerchant } from '../rules/merchants';
import { createUpdaterRequest, findUpdaterRequest, LARGEST_REQUEST, savedSource } from '../rules/updater';
import type { Environment } from '../state/environment';
import type { UpdaterRequest } from '../state/records';
import { updaterDetails, updaterResults, updaterStatus, updaterSummary } from '../views/updater';

const WRONG_NUMBER = '320';
const WRONG_EXPIRATION = '315';
const HOURS_IN_PROGRESS = 1;

export const accountUpdaterHandlers = {
  /** Submits up to 100 cards to the account updater. Rejects unusable cards individually. */
  submitAccountUpdater: ({ environment, body }) => {
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
  },

  putOnAusHold: ({ environment, body }) => {
    for (const card of cardsOf(environment, body)) environment.heldCards.add(card);
    return success({});
  },

  releaseFromAusHold: ({ environment, body }) => {
    for (const card of cardsOf(environment, body)) environment.heldCards.delete(card);
    return success({});
  },

  cancelAusRequest: ({ environment, path }) => {
    const request = findUpdaterRequest(environment, path.request_id);
    const now = environment.clock.now();
    const status = updaterStatus(request, now);
    if (status !== 'INPROGRESS')
      throw new PlatformRefusal(2, `A request with the status ${status} can't be canceled`, 400);
    request.isCanceled = true;
    return success(without(updaterSummary(request, now), 'method', 'rejected_cards'));
  },

  /** Submits up to 100 saved cards to the account updater. Rejects unusable cards individually. */
  createAusRequest: ({ environment, body: { card_id: ids } }) => {
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
  },

  browseAusRequestsDetail: (call) => details([...call.environment.updaterRequests.values()], call),

  getAusDetail: (call) => details([findUpdaterRequest(call.environment, call.path.request_id)], call),

  getAusResponse: ({ environment, path }) => {
    const request = findUpdaterRequest(environment, path.requestId);
    return wholeList(request.method === 'harvest_api' ? updaterResults(request, environment.clock.now()) : []);
  },

  /** Lists account updater requests, latest first (openapi.yaml#browseAusRequestsSummary). */
  browseAusRequestsSummary: (call) => {
    const { environment } = call;
    const now = environment.clock.now();
    const records = [...environment.updaterRequests.values()]
      .filter(({ requested }) => environment.isListed(requested))
      .map((request) => updaterSummary(request, now));
    return listAnswer(records, call, 'request_date');
  },

  getAccountUpdaterSummary: ({ environment, path }) => {
    const request = findUpdaterRequest(environment, path.request_id);
    return success(updaterSummary(request, environment.clock.now()));
  },
} satisfies Partial<Handlers>;

function cardsOf(
  environment: Environment,
  { card_id, customer_id = '', merchant_id }: { card_id?: string; customer_id?: string; merchant_id?: number },
): string[] {
  if (card_id === undefined)
    return findVaultCustomer(environment, customer_id, merchant_id).billing_cards.map((card) => card.card_id);
  const merchant = platformMerchant(environment, merchant_id);
  if (!savedSource(environment, merchant, card_id)) throw invalidFields({ card_id: 'is not known' });
  return [card_id];
}

function rejectionOf(source: PaymentSource | undefined, isHeld: boolean): string | undefined {
  if (!source) return 'Card ID not found';
  if (source.card_type === 'AP') return 'Card type not supported';
  return isHeld ? 'Card is on hold' : undefined;
}

function details(requests: UpdaterRequest[], call: Call<unknown, ListQuery>) {
  const { environment } = call;
  const now = environment.clock.now();
  const records = requests
    .filter(({ requested }) => environment.isListed(requested))
    .flatMap((request) => updaterDetails(request, now));
  return listAnswer(records, call, 'request_date');
}
