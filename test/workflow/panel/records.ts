import type { Sandbox } from '../../../sandbox';

/** Resources whose operations take a record in a state that others bring it out of: it is made for each filling. */
const MADE: Record<string, (post: Post) => Promise<void>> = {
  subscription: async (post) => {
    const body = { customer_id: 'CUST0001', plan_code: 'MONTHLY25', date_start: '2031-01-01' };
    for (const change of ['', 'pause']) {
      const { subscription_id } = await post('', body);
      await post(`/${subscription_id}/labels/add`, { name: 'route', value: 'Tuesday north' });
      if (change !== '') await post(`/${subscription_id}/${change}`, { customer_id: body.customer_id });
    }
  },
  // The seed's plan is archived, or deleted, once.
  plan: async () => await Promise.resolve(),
};

type Post = (path: string, body: object) => Promise<{ subscription_id: number }>;

/** Puts the service back to where it began, with what the operations of a resource need, where they use it up. */
export async function freshRecords({ baseUrl, control, credentials }: Sandbox, resource: string): Promise<void> {
  const make = MADE[resource];
  if (!make) return;
  control.reset();
  const headers = { authorization: `Basic ${credentials.test.token}`, 'content-type': 'application/json' };
  await make(async (path, body) => {
    const url = `${baseUrl}/platform/${resource}${path}`;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return ((await answer.json()) as { data: { subscription_id: number } }).data;
  });
}
