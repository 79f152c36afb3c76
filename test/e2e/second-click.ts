import { itemsOf, type Execution } from '../../host/rest';
import type { AgentHost } from './agent-ways';
import { CREDENTIAL } from './host';
import { refundBench, REFUND } from './refund-bench';
import { rowsInto } from './workflows';

/** Declares the tests of a workflow that a person starts twice in the editor. */
export function describeSecondClick(shared: () => AgentHost): void {
  describe('A second click', () => {
    const { control, applied, refundNode } = refundBench(shared);
    const sales = () => {
      const ids = control().addCapturedSales({ count: 2, amountCents: 1000 }, 'production');
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
  });
}
