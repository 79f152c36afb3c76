import { invalidFields } from '../core/refusals';
import type { Invoice } from '../state/records';

/**
 * Checks that an invoice's state allows a change (service.md#invoices).
 * @param done past participle for the message, for example "sent".
 * @throws PlatformRefusal in any other state.
 */
export function assertStatus({ status }: Invoice, taken: ReadonlyArray<Invoice['status']>, done: string): void {
  if (!taken.includes(status))
    throw invalidFields({ invoice_id: `is ${status}; only a ${taken.join(' or ')} invoice can be ${done}` });
}
