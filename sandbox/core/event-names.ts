/** Events that a webhook can subscribe to (service.md#events). */
export const EVENT_NAMES = [
  'account_updater_request_created',
  'account_updater_request_completed',
  'subscription_suspended',
  'subscription_complete',
  'subscription_payment_success',
  'subscription_payment_failure',
  'checkout_payment_success',
  'checkout_payment_failure',
  'invoice_paid',
  'invoice_payment_success',
  'invoice_payment_failure',
  'invoice_email_undeliverable',
  'qp_manager_capture_success',
  'qp_manager_void_success',
  'qp_manager_refund_success',
  'transaction_status_updated',
  'dispute_update',
  'validate_url',
] as const;

export type EventName = (typeof EVENT_NAMES)[number];

export const isEventName = (name: string): boolean => (EVENT_NAMES as readonly string[]).includes(name);
