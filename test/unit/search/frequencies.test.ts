import type { IDataObject } from 'n8n-workflow';

import { FREQUENCIES } from '../../../nodes/PaymentPlatform/fields/frequencies';
import { search } from '../../../nodes/PaymentPlatform/search';
import { testEvery } from '../../every-case';
import { editor } from './service';

const numbered = (id: string): IDataObject[] =>
  FREQUENCIES.map(({ value }) => ({ [id]: `9${value}0`, plan_code: `P${value}`, plan_frequency: value, status: 'A' }));

testEvery([...FREQUENCIES])(
  'finds a plan version and a subscription by the label of the frequency',
  async ({ name, value }) => {
    for (const typed of [name, name.toLowerCase(), name.replace('-', ' ')]) {
      const { context } = editor({ plans: numbered('plan_id'), subscriptions: numbered('subscription_id') });
      const plans = await search(context, 'searchPlanVersions', typed);
      const subscriptions = await search(context, 'searchSubscriptions', typed);
      for (const { results } of [plans, subscriptions]) expect(results.map((one) => one.value)).toContain(`9${value}0`);
    }
  },
);
