import type { IHookFunctions } from 'n8n-workflow';

import type { WebhookService } from './service';
import type { TriggerState } from './state';
import type { Target } from './target';

/** What one call of a webhook method works with. */
export interface Work {
  context: IHookFunctions;
  state: TriggerState;
  target: Target;
  service: WebhookService;
}
