import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { spendingBooks } from '../../nodes/PaymentPlatform/limits/spending';
import { OtherRuns } from '../../nodes/PaymentPlatform/lookup/record-owners';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';

export type SandboxInUse = Pick<Sandbox, 'baseUrl' | 'productionBaseUrl' | 'credentials' | 'control'>;

/** Starts a sandbox for all tests of a file. Before each test, resets the sandbox and the amounts of daily limits. */
export function sandboxForFile(options: Omit<SandboxOptions, 'port'> = {}): SandboxInUse {
  let started: Sandbox | undefined;
  beforeAll(async () => {
    started = await startSandbox({ ...options, port: 0 });
  });
  beforeEach(() => {
    started?.control.reset();
    // After a reset, the sandbox uses the same IDs again.
    OtherRuns.byAccount.clear();
    spendingBooks.clear();
  });
  afterAll(async () => await started?.stop());
  const running = () => {
    if (!started) throw new Error('The sandbox runs while tests do');
    return started;
  };
  return {
    get baseUrl() {
      return running().baseUrl;
    },
    get productionBaseUrl() {
      return running().productionBaseUrl;
    },
    get credentials() {
      return running().credentials;
    },
    get control() {
      return running().control;
    },
  };
}

/**
 * Creates `count` captured sales of 10.00.
 * @returns input rows for refunds of 4.00, one row per sale.
 */
export function capturedSales({ control }: SandboxInUse, count: number): IDataObject[] {
  control.addCustomers(1);
  const ids = control.addCapturedSales({ count, amountCents: 1000 });
  control.closeBatch();
  control.sendDeposits();
  return ids.map((id, row) => ({ id, amount: 4, row }));
}

export const refund: INodeParameters = {
  resource: 'transaction',
  operation: 'refund',
  pg_id: '={{ $json.id }}',
  amt_tran: '={{ $json.amount }}',
};
