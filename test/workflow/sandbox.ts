import { allDayWrites } from '../../nodes/PaymentPlatform/limits/day-writes';
import { RecentPayments } from '../../nodes/PaymentPlatform/limits/recent-payments';
import { OtherRuns } from '../../nodes/PaymentPlatform/lookup/record-owners';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { processedData } from '../processed-data';

export type SandboxInUse = Pick<Sandbox, 'baseUrl' | 'productionBaseUrl' | 'credentials' | 'control'>;

/** Starts a sandbox for all tests of a file. Resets the sandbox, n8n's database and the process memory before each test. */
export function sandboxForFile(options: Omit<SandboxOptions, 'port'> = {}): SandboxInUse {
  let started: Sandbox | undefined;
  beforeAll(async () => {
    started = await startSandbox({ ...options, port: 0 });
  });
  beforeEach(() => {
    started?.control.reset();
    // After a reset, the sandbox uses the same IDs again.
    OtherRuns.byAccount.clear();
    processedData.clear();
    allDayWrites.clear();
    RecentPayments.byIdentity.clear();
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
