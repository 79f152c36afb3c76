import type { Execution } from '../host/rest';
import type { Host } from '../test/e2e/host';
import type { InstantService } from './instant-service';
import { LIMIT_MS, refunds, timeOf } from './journal-refunds';
import { keptOf, type ReadRow } from './journal-row';
import { print } from './table';

/** Numbers of simultaneous executions, their items, and the service's delay. The delay makes the executions overlap. */
const AT_ONCE = [1, 2, 20];
const ITEMS_AT_ONCE = 50;
const SLOW_MS = 100;

/** Returns the maximum number of executions that refunded at the same moment. */
function overlap(executions: Execution[]): number {
  const spans = executions.flatMap(({ data }) => data.resultData.runData.Refund ?? []);
  const at = (moment: number) =>
    spans.filter(({ startTime, executionTime }) => startTime <= moment && moment <= startTime + executionTime).length;
  return Math.max(...spans.map(({ startTime }) => at(startTime)));
}

/**
 * Prints the contents of the row after simultaneous executions of the same workflow.
 * @param processes description of the processes that execute the workflow.
 * @param isFirst whether to print the heading.
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
