import type { Given, OperationId, RecordOf, ValuesOf } from '../../model/operation';
import type { Decision, Step } from '../../model/types';
import { asText } from '../../shared/objects';
import { isOfTrigger } from '../../shared/trigger-mark';
import * as wire from '../../wire/operations';
import { lookFor } from '../merge-with-current';

export type Webhook = Given<RecordOf<'getWebhook'>>;

export type Changes = Extract<
  OperationId,
  'updateWebhook' | 'enableWebhook' | 'disableWebhook' | 'addWebhookEvent' | 'deleteWebhookEvent'
>;

/**
 * Reads the webhook first, and refuses to change a trigger's webhook.
 * @param decide returns the change to send.
 */
export const changing = <Id extends Changes>(
  decide: (webhook: Webhook, values: ValuesOf<Id>) => Decision,
): Step<ValuesOf<Id>, Webhook> => ({
  look: (values) => lookFor(wire.getWebhook.request, { path: values.path, body: {} }),
  decide: ([found], values) => {
    if (!found) return { refuse: "No webhook has this ID, or this account can't manage webhooks, so nothing was sent" };
    const decision = decide(found, values);
    if ('request' in decision && isOfTrigger(found) && values.node.changeTriggerWebhook !== true)
      return {
        refuse: `Webhook ${asText(found.webhook_id)} "${asText(found.label)}" belongs to an n8n trigger, so nothing was sent. To change the webhook anyway, turn on "Change a Trigger's Webhook"`,
      };
    return decision;
  },
});
