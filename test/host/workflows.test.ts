import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { root } from '../../host/paths';

interface Step {
  name?: string;
  uses?: string;
  run?: string;
}

interface Job {
  container?: string;
  'timeout-minutes'?: number;
  permissions?: Record<string, string>;
  steps: Step[];
}

const WORKFLOWS = ['ci.yml', 'publish.yml'];
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const jobsOf = (file: string) => (parse(read(`.github/workflows/${file}`)) as { jobs: Record<string, Job> }).jobs;
const commandsOf = (job: Job) => job.steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
const ciRun = read('.ci/run');
const jobs = WORKFLOWS.flatMap((file) => Object.entries(jobsOf(file)).map(([name, job]) => ({ file, name, job })));

describe.each(jobs)('$file, job $name', ({ job }) => {
  test('a job has a time limit above the limit of its script', () => {
    const seconds = Number(/limit_seconds=\$\(\((\d+) \* 60\)\)/.exec(ciRun)?.[1]) * 60;
    const least = commandsOf(job).includes('.ci/run') ? seconds / 60 + 5 : 1;
    expect(job['timeout-minutes']).toBeGreaterThanOrEqual(least);
  });

  test('a job installs packages like .ci/run', () => {
    const installing = commandsOf(job).filter((command) => /\bnpm (ci|i|install|add)\b|setup\.mjs/.test(command));
    expect(installing.filter((command) => command !== 'node host/setup.mjs install')).toEqual([]);
    expect(ciRun).toContain("step 'Dependencies' node host/setup.mjs install\n");
  });

  test('a job uses container images by digest only', () => {
    expect(job.container ?? 'image@sha256:').toContain('@sha256:');
  });

  test('a job uses actions of other owners by commit only', () => {
    const used = job.steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });
});

test('builds and tests the package once before publication, and nothing in the signing job', () => {
  const { check, publish } = jobsOf('publish.yml');
  expect(publish?.permissions).toMatchObject({ 'id-token': 'write' });
  expect(publish?.steps.map(({ uses }) => uses?.split('@')[0])).toEqual([
    'actions/setup-node',
    'actions/download-artifact',
    undefined,
  ]);
  expect(check?.permissions).toBeUndefined();
  expect(ciRun.match(/npm run --silent build\b/g)).toHaveLength(1);
  expect(ciRun).toContain('PAYMENT_PLATFORM_IS_BUILT=yes tests ');
});

test('checks for placeholders before any other step of a release', () => {
  const commands = commandsOf(jobsOf('publish.yml').check ?? { steps: [] });
  expect(commands.indexOf('node host/placeholders.mjs')).toBeGreaterThanOrEqual(0);
  expect(commands.indexOf('node host/placeholders.mjs')).toBeLessThan(commands.indexOf('.ci/run'));
});

// Windows also has bash, as part of git.
test('.ci/run is valid bash', () => {
  execFileSync('bash', ['-n', join(root, '.ci', 'run')]);
});
