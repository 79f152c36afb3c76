import type { Execution } from '../host/rest';
import type { Host } from '../test/e2e/host';
import type { InstantService } from './instant-service';
import { LIMIT_MS, refunds, timeOf } from './journal-refunds';
import { keptOf, type ReadRow } from './journal-row';
import { print } from './table';

/** How many executions of how many items run at once, and how long the service then takes, so that they overlap. */
const AT_ONCE = [1, 2, 20];
const ITEMS_AT_ONCE = 50;
const SLOW_MS = 100;

/** How many of the executions were refunding at the same moment. */
function overlap(executions: Execution[]): number {
  const spans = executions.flatMap(({ data }) => data.resultData.runData.Refund ?? []);
  const at = (moment: number) =>
    spans.filter(({ startTime, executionTime }) => startTime <= moment && moment <= startTime + executionTime).length;
  return Math.max(...spans.map(({ startTime }) => at(startTime)));
}

/**
 * Prints what the row keeps of executions of the same workflow at the same moment.
 * @param processes what executes them, in words.
 * @param isFirst whether the heading is still to be printed.
 */
export async function printKept(
  processes: string,
  host: Host,
  service: InstantService,
  read: ReadRow,
  isFirst: boolean,
): Promise<void> {
  service.delay(SLOW_MS);
  for (const [index, count] of AT_ONCE.entries()) {
    const workflowId = await host.rest.saveWorkflow(refunds(host, 'at once', 'noted', ITEMS_AT_ONCE));
    const started = await Promise.all(Array.from({ length: count }, async () => await host.rest.start(workflowId)));
    const executions: Execution[] = [];
    for (const id of started) executions.push(await host.rest.executions.waitFor(id, undefined, LIMIT_MS));
    for (const execution of executions) timeOf(execution, ITEMS_AT_ONCE);
    const { expected, kept: there, incomplete, untold } = keptOf(read(workflowId), executions, ITEMS_AT_ONCE);
    print(
      {
        processes,
        'executions of 50 refunds': count,
        'at the same moment': overlap(executions),
        'keys expected': expected,
        kept: there,
        'executions that lack one': incomplete,
        'and do not say so': untold,
      },
      isFirst && index === 0,
    );
  }
  service.delay(0);
}
