import { setTimeout as sleep } from 'node:timers/promises';

import { itemsOf, type Execution } from '../../host/rest';
import type { AgentHost } from './agent-ways';
import { CREDENTIAL, major, PASSWORD } from './host';
import { COUNT, KILL_AT, outcomeOf, outcomes, refundBench, REFUND, report } from './refund-bench';
import { rowsInto } from './workflows';

/** Declares the tests of a workflow that a person starts twice in the editor. */
export function describeSecondClick(shared: () => AgentHost): void {
  describe('A second click', () => {
    const { control, applied, refundNode, untilApplied } = refundBench(shared);
    const sales = (count = 2) => {
      const ids = control().addCapturedSales({ count, amountCents: 1000 }, 'production');
      return ids.map((id, row) => ({ id, amount: 4, row }));
    };
    const errorOf = ({ data }: Execution) =>
      data.resultData.error as unknown as { message: string; description: string } | undefined;

    test.each([true, false])('repeats no refund in production, unless a person allows it (%s)', async (isAllowed) => {
      const host = shared();
      const rows = sales();
      const { productionCredentialId: id } = host;
      const credentials = { paymentPlatformApi: { id, name: CREDENTIAL } };
      const workflow = rowsInto('second click', rows, refundNode({ allowEqual: isAllowed }, { credentials }));
      const saved = await host.rest.saveWorkflow(workflow);
      const first = await host.rest.execute(saved);
      expect(errorOf(first)).toBeUndefined();
      const second = await host.rest.execute(saved);
      const sentence = `The same refund of this sale was made \\d+ seconds? ago in execution ${first.id}`;
      const { message, description } = errorOf(second) ?? {};
      expect(message).toEqual(isAllowed ? undefined : expect.stringMatching(new RegExp(sentence)));
      if (!isAllowed) expect(description).toContain('To send it again, turn on the option "Allow Repeated Payments".');
      const notices = itemsOf(second, REFUND).map(({ notice }) => notice);
      const notice: unknown = expect.stringMatching(new RegExp(`^${sentence}\\.$`));
      expect(notices).toEqual(isAllowed ? [notice, notice] : []);
      expect(applied(rows)).toEqual(isAllowed ? [2, 2] : [1, 1]);
    });

    test('after n8n was killed sends only the refunds that the first click did not send', async () => {
      const host = shared();
      control().clearJournal();
      const rows = sales(COUNT);
      const credentials = { paymentPlatformApi: { id: host.productionCredentialId, name: CREDENTIAL } };
      const more = { credentials, onError: 'continueRegularOutput' };
      const node = refundNode({ sending: { maxParallelRequests: 5 } }, more);
      const saved = await host.rest.saveWorkflow(rowsInto('killed click', rows, node));
      control().addLatency({ operationId: 'refund', milliseconds: 150 });
      await host.rest.start(saved);
      await untilApplied(KILL_AT);
      await host.n8n.kill();
      control().clearLatency();
      // Waits for the requests in transit, which take effect even after n8n was killed.
      await sleep(500);
      const before = applied(rows);
      const made = before.filter((count) => count > 0).length;
      await host.n8n.restart();
      await host.rest.signIn(PASSWORD);
      const second = await host.rest.execute(saved);
      report(`n8n ${major}, second click after a kill, applied before ${made}`, outcomes(second));
      expect([made >= KILL_AT, made < rows.length]).toEqual([true, true]);
      const ended = itemsOf(second, REFUND).map((item, row) => [outcomeOf(item), before[row], applied(rows)[row]]);
      // n8n may have been killed before or after the node sent the refunds that have no response.
      const isOpen = ([outcome]: unknown[]) => outcome === 'invalid';
      expect(ended.filter(isOpen).length).toBeLessThanOrEqual(5);
      for (const [, ...counts] of ended.filter(isOpen))
        expect([
          [0, 0],
          [1, 1],
        ]).toContainEqual(counts);
      for (const one of ended.filter((one) => !isOpen(one)))
        expect([
          ['doneBefore', 1, 1],
          ['done', 0, 1],
        ]).toContainEqual(one);
    });
  });
}
