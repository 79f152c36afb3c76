import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';

import { root } from '../../host/paths';

interface Arrow {
  from: string;
  to: string;
  refusedBy?: string;
  typeOnly?: boolean;
}

const NODES = 'nodes/PaymentPlatform';
const arrows: Arrow[] = [
  { from: `${NODES}/shared/one.ts`, to: `${NODES}/fields/field.ts`, refusedBy: `${NODES}/shared` },
  { from: `${NODES}/fields/two.ts`, to: `${NODES}/once/step.ts`, refusedBy: `${NODES}/fields` },
  { from: `${NODES}/fields/three.ts`, to: `${NODES}/once/step.ts`, refusedBy: `${NODES}/fields`, typeOnly: true },
  { from: `${NODES}/once/four.ts`, to: `${NODES}/resources/card/card.ts`, refusedBy: `${NODES}/once` },
  { from: `${NODES}/resources/card/five.ts`, to: `${NODES}/trigger/event.ts`, refusedBy: `${NODES}/resources` },
  { from: `${NODES}/trigger/six.ts`, to: `${NODES}/Some.node.ts`, refusedBy: `${NODES}/trigger` },
  {
    from: `${NODES}/helpers/seven.ts`,
    to: `${NODES}/shared/text.ts`,
    refusedBy: `${NODES}: every folder has its layer`,
  },
  { from: `${NODES}/once/eight.ts`, to: 'sandbox/core/clock.ts', refusedBy: 'nodes stands apart' },
  { from: 'sandbox/core/nine.ts', to: 'sandbox/state/state.ts', refusedBy: 'sandbox/core' },
  { from: 'sandbox/operations/ten.ts', to: 'host/start.ts', refusedBy: 'sandbox stands apart' },
  { from: 'host/eleven.ts', to: 'test/credential.ts', refusedBy: 'host stands apart' },
  { from: 'docs/generate/twelve.ts', to: 'sandbox/core/clock.ts', refusedBy: 'docs stands apart' },
  { from: 'docs/generate/page.ts', to: 'interface/generate/schema.ts' },
  { from: 'interface/generate/thirteen.ts', to: `${NODES}/shared/text.ts` },
  { from: 'interface/fourteen.ts', to: `${NODES}/shared/text.ts`, refusedBy: 'interface stands apart' },
  { from: `${NODES}/once/fifteen.ts`, to: 'interface/generate/schema.ts', refusedBy: 'nodes stands apart' },
  { from: 'interface/generate/sixteen.ts', to: 'sandbox/core/clock.ts', refusedBy: 'interface/generate stands apart' },
  { from: `${NODES}/trigger/loop.ts`, to: `${NODES}/service/retry-rules.ts`, refusedBy: 'one retry loop' },
  { from: `${NODES}/trigger/patience.ts`, to: `${NODES}/service/retry-rules.ts`, typeOnly: true },
  { from: 'test/workflow/real.ts', to: 'test/e2e/host.ts', refusedBy: 'tests without a real n8n' },
  { from: 'test/e2e/below.ts', to: 'test/workflow/harness.ts' },
  // The check reports a circular import for only one of the two files.
  { from: 'test/unit/there.ts', to: 'test/unit/back.ts' },
  { from: 'test/unit/back.ts', to: 'test/unit/there.ts', refusedBy: 'no cycles' },
  { from: `${NODES}/resources/card/deep.ts`, to: `${NODES}/once/step.ts`, refusedBy: 'declarations know no mechanism' },
  { from: `${NODES}/resources/card/down.ts`, to: `${NODES}/shared/text.ts` },
  { from: `${NODES}/Some.node.ts`, to: `${NODES}/trigger/event.ts` },
  { from: 'sandbox/server/down.ts', to: 'sandbox/core/clock.ts' },
  { from: 'test/unit/down.ts', to: 'sandbox/core/clock.ts' },
];

interface Violation {
  from: string;
  to: string;
  rule: { name: string };
}

const folder = mkdtempSync(join(tmpdir(), 'layers-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, text: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function violations(): Violation[] {
  const sources = new Map(arrows.map(({ from }) => [from, arrows.filter((arrow) => arrow.from === from)]));
  for (const { to } of arrows) if (!sources.has(to)) write(to, 'export const thing = 1;\n');
  for (const [from, all] of sources)
    write(from, `${all.map((arrow) => importOf(arrow)).join('\n')}\nexport const thing = 1;\n`);
  write('tsconfig.json', '{}');
  const command = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = join(root, '.ci/layers.mjs');
  const given = [
    command,
    '--config',
    config,
    '--output-type',
    'json',
    'nodes',
    'sandbox',
    'host',
    'docs',
    'test',
    'interface',
  ];
  const { stdout, stderr } = spawnSync(process.execPath, given, { cwd: folder, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
}

function importOf({ from, to, typeOnly }: Arrow): string {
  const path = posix.relative(posix.dirname(from), to).replace(/[.]ts$/, '');
  return `import ${typeOnly ? 'type ' : ''}{ thing } from '${path.startsWith('.') ? path : `./${path}`}';`;
}

test('upward, sideways and circular imports are refused, and downward imports are allowed', () => {
  const found = violations().map(({ from, to, rule }) => ({ from, to, refusedBy: rule.name }));
  const wanted = arrows.flatMap(({ from, to, refusedBy }) =>
    refusedBy === undefined ? [] : [{ from, to, refusedBy }],
  );
  const sorted = (list: object[]) => list.map((entry) => JSON.stringify(entry)).sort();
  expect(sorted(found)).toEqual(sorted(wanted));
});
