import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DateTime } from 'luxon';
import type { INode } from 'n8n-workflow';

import { exampleFiles } from '../../../host/examples';
import { examplesFolder } from '../../../host/paths';
import type { WorkflowJson } from '../../../host/rest';
import { testEvery } from '../../every-case';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, sandboxForFile } from '../bench';

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });
const bench = benchOf(sandbox);
const textOf = (file: string) => readFileSync(join(examplesFolder, file), 'utf8');
const example = (file: string) => JSON.parse(textOf(file)) as WorkflowJson;

function nodeOf({ nodes }: WorkflowJson, name: string): INode {
  const found = nodes.find((node) => node.name === name);
  if (!found) throw new Error(`No node is named ${name}`);
  return found;
}

testEvery(exampleFiles())('an example formats a number that is text, such as an amount from a table', (file) => {
  const formatted = textOf(file).match(/[^{}]*\.toFixed\(/g) ?? [];
  for (const one of formatted) expect(one).toMatch(/ Number\([^{}]+\)\.toFixed\($/);
});

test('the monthly reconciliation reads the deposits of the last day, which arrive in the next month', async () => {
  sandbox.control.addCapturedSales({ count: 1, amountCents: 5_000 });
  await sandbox.control.advanceClock({ days: 2 });
  const { parameters } = nodeOf(example('monthly-reconciliation.json'), 'Deposits');
  const deposits = async (row: object) => (await bench.run(parameters, [{ ...row }])).items;
  const [deposit] = await deposits({ first: '2000-01-01', last: '2100-01-01', deposit_days: 0 });
  const arrived = DateTime.fromISO(deposit?.json.post_date_actual as string);
  const [day, before] = [arrived, arrived.minus({ days: 1 })].map((one) => one.toISODate());
  expect(await deposits({ first: before, last: before, deposit_days: 1 })).toHaveLength(1);
  expect(await deposits({ first: day, last: day, deposit_days: 1 })).toHaveLength(0);
});

test('the order example voids an authorization only if the order was canceled', () => {
  const workflow = example('order-authorization.json');
  const into = Object.entries(workflow.connections).flatMap(([name, { main = [] }]) =>
    main.flatMap((ends, output) =>
      (ends ?? []).some(({ node }) => node === 'Void on Cancellation') ? [{ name, output }] : [],
    ),
  );
  expect(into).toEqual([{ name: 'Canceled?', output: 0 }]);
  expect(nodeOf(workflow, 'Canceled?').parameters.conditions).toMatchObject({
    combinator: 'and',
    conditions: [{ leftValue: "={{ $('Orders').item.json.status }}", rightValue: 'canceled' }],
  });
});
