import { version } from './host';
import { triggerBench } from './trigger-bench';
import { describeTriggerDeliveries } from './trigger-deliveries';
import { describeTriggerInstances } from './trigger-instances';
import { describeTriggerWebhooks } from './trigger-webhooks';

describe(`the trigger in ${version}`, () => {
  const bench = triggerBench();
  describeTriggerWebhooks(bench);
  describeTriggerDeliveries(bench);
  describeTriggerInstances(() => bench.host);
});
