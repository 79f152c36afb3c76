import type { DateTime } from 'luxon';

import type { PaymentSource } from '../core/cards';
import { issuerResponse, type IssuerResponse, replacement } from '../core/issuer-response';
import { noSuchResource } from '../core/refusals';
import type { Environment } from '../state/environment';
import type { UpdaterRequest } from '../state/records';
import { updaterSummary } from '../views/updater';

export const LARGEST_REQUEST = 100;
const TURNAROUND_DAYS = 4;

export function createUpdaterRequest(
  environment: Environment,
  given: Omit<UpdaterRequest, 'request_id' | 'requested' | 'queues' | 'completes' | 'isCanceled'>,
  queuesAfter: { hours: number },
): UpdaterRequest {
  const requested = environment.clock.now();
  const request: UpdaterRequest = {
    request_id: environment.ids.nextNumber('updater request', 15_001),
    requested,
    queues: requested.plus(queuesAfter),
    completes: requested.plus({ days: TURNAROUND_DAYS }),
    isCanceled: false,
    ...given,
  };
  environment.updaterRequests.set(request.request_id, request);
  environment.timeline.at(request.completes, () => complete(environment, request, request.completes));
  environment.emit('account_updater_request_created', request.merchant_id, updaterSummary(request, requested));
  return request;
}

function complete(environment: Environment, request: UpdaterRequest, now: DateTime): void {
  if (request.isCanceled) return;
  if (request.method === 'harvest_card_id')
    for (const card of request.cards)
      changeSavedCard(environment, card.card_id, (source) => updatedSource(source, issuerResponse(card)));
  environment.emit('account_updater_request_completed', request.merchant_id, updaterSummary(request, now));
}

const updatedSource = (source: PaymentSource, { card_number_new, exp_date_new }: IssuerResponse): PaymentSource => ({
  ...source,
  ...(card_number_new !== undefined && replacement()),
  exp_date: exp_date_new ?? source.exp_date,
});

function changeSavedCard(
  environment: Environment,
  cardId: string,
  change: (source: PaymentSource) => PaymentSource,
): void {
  const cards = environment.customers.flatMap(({ billing_cards }) => billing_cards);
  const token = environment.tokens.get(cardId);
  for (const saved of [...cards.filter(({ card_id }) => card_id === cardId), ...(token ? [token] : [])])
    saved.source = change(saved.source);
}

export function savedSource(environment: Environment, merchantId: string, cardId: string): PaymentSource | undefined {
  const token = environment.tokens.get(cardId);
  if (token?.merchant_id === merchantId) return token.source;
  const customers = environment.customers.filter(({ merchant_id }) => merchant_id === merchantId);
  const cards = customers.flatMap(({ billing_cards }) => billing_cards);
  return cards.find(({ card_id }) => card_id === cardId)?.source;
}

/**
 * Returns an account updater request.
 * @throws PlatformRefusal with code 7 for an unknown request.
 */
export function findUpdaterRequest(environment: Environment, id: number): UpdaterRequest {
  const request = environment.updaterRequests.get(Number(id));
  if (!request) throw noSuchResource('Account updater request');
  return request;
}
