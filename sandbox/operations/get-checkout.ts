import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { noSuchResource } from '../core/refusals';
import { checkoutView } from '../views/checkouts';

/** Returns a checkout link, even if used or expired. */
export const getCheckout: Handler<'getCheckout'> = ({ environment, path }) => {
  const checkout = environment.checkouts.get(path.checkoutId);
  if (!checkout) throw noSuchResource('Checkout');
  return success(checkoutView(environment, checkout));
};
