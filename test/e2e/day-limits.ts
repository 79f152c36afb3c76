import type { IDataObject } from 'n8n-workflow';

import { itemsOf, type Execution } from '../../host/rest';
import { PASSWORD, type Host } from './host';
import { refundBench, REFUND } from './refund-bench';
import { own, rowsInto } from './workflows';

export function describeDayLimits(shared: () => Host): void {
  describe('The limit per day', () => {
    let host: Host;
    const { control, applied, refundNode, sales } = refundBench(() => host);
    beforeAll(() => {
      host = shared();
    });

    const messageOf = ({ data }: Execution) =>
      (data.resultData.error as { message?: string } | undefined)?.message ?? '';
    const messagesOf = (items: IDataObject[]) =>
      items.map(({ error }) => (error as IDataObject | undefined)?.message as string | undefined);

    test('the node counts refunds from earlier executions and refuses items above the limit before any request', async () => {
      const rows = sales(7);
      const [other, first, second] = [rows.slice(0, 1), rows.slice(1, 4), rows.slice(4)];
      const execute = async (some: IDataObject[], options: object, more: object = {}) =>
        await host.rest.execute(await host.rest.saveWorkflow(rowsInto('day', some, refundNode(options, more))));
      expect((await execute(other, {})).status).toBe('success');
      // Today's total includes refunds in the sandbox's sample data.
      const total = Number(/Today's total is (\d+)/.exec(messageOf(await execute(first, { limitPerDay: 4 })))?.[1]);
      const limited = { limitPerDay: total + 17 };
      expect((await execute(first, limited)).status).toBe('success');
      const refusal = `"Limit per Day" allows ${total + 17} per day. Today's total is ${total + 16}`;
      expect(messageOf(await execute(second, limited))).toMatch(
        /^2 of 3 rows have errors\. Nothing was sent\. Row 2 \(\w+\), row 3 \(\w+\): /,
      );
      expect(messageOf(await execute(second, limited))).toContain(refusal);
      expect(applied(second)).toEqual([0, 0, 0]);
      const rest = messagesOf(itemsOf(await execute(second, limited, { onError: 'continueRegularOutput' }), REFUND));
      expect(rest).toEqual([undefined, ...Array<unknown>(2).fill(expect.stringContaining(refusal))]);
      expect(applied(second)).toEqual([1, 0, 0]);
    });

    test("the limit per day counts the node's own links in the next execution and after n8n is killed", async () => {
      control().reset();
      const link = own(
        host,
        'Link',
        {
          resource: 'checkout',
          operation: 'create',
          amt_tran: '={{ $json.amount }}',
          options: { limitPerDay: 10 },
        },
        { onError: 'continueRegularOutput' },
      );
      const workflow = await host.rest.saveWorkflow(rowsInto('links', [{ amount: 4 }, { amount: 3 }], link));
      const run = async () => messagesOf(itemsOf(await host.rest.execute(workflow), 'Link'));
      expect(await run()).toEqual([undefined, undefined]);
      await host.n8n.kill();
      await host.n8n.restart();
      await host.rest.signIn(PASSWORD);
      const [over, fits] = await run();
      expect(over).toContain("Today's total is 7 (counted by this node), and this request would add 4");
      expect(fits).toBeUndefined();
      const links = control().journal({ operationId: 'addCheckout' });
      expect(links.map(({ body }) => (body as IDataObject).amt_tran)).toEqual([4, 3, 3]);
    });

    test.each(['legacy', 'vm'])(
      "a time zone that doesn't exist is refused with the expression engine %s of n8n 2",
      async (engine) => {
        await host.n8n.restart({ N8N_EXPRESSION_ENGINE: engine, GENERIC_TIMEZONE: 'Foo/Bar' });
        try {
          await host.rest.signIn(PASSWORD);
          const rows = sales(3);
          const run = async (item: IDataObject, settings: object, more: object = {}) => {
            const parameters = { resource: 'transaction', operation: 'refund', pg_id: item.id, amt_tran: 4 };
            const last = own(host, REFUND, { ...parameters, options: { limitPerDay: 5000 }, ...more });
            const id = await host.rest.saveWorkflow(rowsInto('zone', [item], last, settings));
            return await host.rest.execute(id);
          };
          const [one = {}, other = {}, third = {}] = rows;
          expect(messageOf(await run(one, { timezone: 'Bar/Foo' }))).toMatch(/time ?zone.*Bar\/Foo/);
          expect(messageOf(await run(other, {}))).toMatch(/time ?zone.*Foo\/Bar/);
          const expression = { amt_tran: '={{ $json.amount + 0 }}' };
          expect((await run(other, { timezone: 'Bar/Foo' }, expression)).status).toBe('error');
          expect((await run(third, { timezone: 'Europe/Berlin' }, expression)).status).toBe('success');
          expect(applied(rows)).toEqual([0, 0, 1]);
        } finally {
          await host.n8n.restart({ N8N_EXPRESSION_ENGINE: 'vm', GENERIC_TIMEZONE: 'America/New_York' });
          await host.rest.signIn(PASSWORD);
        }
      },
    );
  });
}
