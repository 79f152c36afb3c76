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

const NOTE = 'n8n-nodes-base.stickyNote';
/** Width and height of a node with its name, and of the largest workflow that a laptop displays at 70%, in pixels. */
const NODE = [96, 140] as const;
const LARGEST = [1520, 1040] as const;

function noteOf(workflow: WorkflowJson) {
  const [note, ...others] = workflow.nodes.filter(({ type }) => type === NOTE);
  if (!note || others.length > 0)
    throw new Error(`${workflow.name} has ${others.length === 0 ? 'no' : 'another'} note`);
  return note;
}

testEvery(exampleFiles())(
  'an example has a note that describes it, its preparation and a test without a command line',
  (file) => {
    const workflow = example(file);
    const content = noteOf(workflow).parameters.content as string;
    expect(content).toMatch(/^## .+\n\n[^]+\n\n\*\*Set up:\*\* .+\n\n\*\*Try it:\*\* .+$/);
    expect(content).not.toMatch(/curl|npm |terminal|_sandbox|command/i);
    const bold = [...content.matchAll(/\*\*([^*]+)\*\*/g)].map(([, text]) => text);
    const names = ['Set up:', 'Try it:', ...workflow.nodes.map(({ name }) => name)];
    expect(bold.filter((text = '') => !names.includes(text))).toEqual([]);
  },
);

testEvery(exampleFiles())('an example opens at a readable size, with the note above the nodes', (file) => {
  const workflow = example(file);
  const { position, parameters } = noteOf(workflow);
  const [width, height] = [Number(parameters.width), Number(parameters.height)];
  const nodes = workflow.nodes.filter(({ type }) => type !== NOTE);
  const edges = (axis: 0 | 1) => nodes.map((node) => node.position[axis]);
  expect(position[1] + height).toBeLessThan(Math.min(...edges(1)));
  const size = [
    Math.max(position[0] + width, Math.max(...edges(0)) + NODE[0]) - Math.min(position[0], ...edges(0)),
    Math.max(...edges(1)) + NODE[1] - position[1],
  ];
  expect(size[0]).toBeLessThanOrEqual(LARGEST[0]);
  expect(size[1]).toBeLessThanOrEqual(LARGEST[1]);
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
