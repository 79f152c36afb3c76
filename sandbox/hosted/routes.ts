import type { FastifyInstance, FastifyReply } from 'fastify';

import type { Environment } from '../state/environment';
import type { Invoice } from '../state/records';
import { checkoutPage, useCheckout } from './checkout';
import { invoicePage, payInvoice } from './invoice';
import { messagePage } from './layout';
import { OVERVIEW_POLICY, overviewPage, type Overview } from './overview';
import type { FormFields } from './payment-form';

type Parameters = { Params: { id: string } };

/** Security policy that blocks external resources and form posts outside the sandbox. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'";

function html(reply: FastifyReply, text: string | undefined, policy = CONTENT_SECURITY_POLICY): FastifyReply {
  return reply
    .code(text === undefined ? 404 : 200)
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(text ?? messagePage('Not found', 'No page exists at this address.'));
}

/**
 * Serves the overview page.
 * @param read returns the current contents.
 */
export function overviewRoute(server: FastifyInstance, read: () => Overview): void {
  server.get('/', (_request, reply) => html(reply, overviewPage(read()), OVERVIEW_POLICY));
}

/** Serves the pages on which customers pay invoices and checkouts. */
export function hostedRoutes(server: FastifyInstance, environment: Environment): void {
  const invoiceOf = (id: string): Invoice | undefined =>
    [...environment.invoices.values()].find((invoice) => invoice.link_id === id);

  server.get<Parameters>('/invoice/:id', ({ params }, reply) => {
    const invoice = invoiceOf(params.id);
    return html(reply, invoice && invoicePage(environment, invoice));
  });
  server.post<Parameters & { Body: FormFields }>('/invoice/:id', ({ params, body }, reply) => {
    const invoice = invoiceOf(params.id);
    return html(reply, invoice && payInvoice(environment, invoice, body ?? {}));
  });

  server.get<Parameters>('/checkout/:id', ({ params }, reply) => {
    const checkout = environment.checkouts.get(params.id);
    return html(reply, checkout && checkoutPage(environment, checkout));
  });
  server.post<Parameters & { Body: FormFields }>('/checkout/:id', ({ params, body }, reply) => {
    const checkout = environment.checkouts.get(params.id);
    return html(reply, checkout && useCheckout(environment, checkout, body ?? {}));
  });
}
