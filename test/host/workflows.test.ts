import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { root } from '../../host/paths';

interface Step {
  name?: string;
  uses?: string;
  run?: string;
}

interface Job {
  'timeout-minutes'?: number;
  permissions?: Record<string, string>;
  needs?: string;
  steps: Step[];
}

interface IssueForm {
  name: string;
  description: string;
  body: Array<{ type: string; id?: string; attributes: { label?: string } }>;
}

const WORKFLOWS = readdirSync(join(root, '.github', 'workflows'));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const jobsOf = (file: string) => (parse(read(`.github/workflows/${file}`)) as { jobs: Record<string, Job> }).jobs;
const commandsOf = (job: Job) => job.steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
const ciRun = read('.ci/run');
const jobs = WORKFLOWS.flatMap((file) => Object.entries(jobsOf(file)).map(([name, job]) => ({ file, name, job })));

describe.each(jobs)('The job $name in $file', ({ job }) => {
  test('a job has a time limit above the limit of its script', () => {
    const seconds = Number(/limit_seconds=\$\(\((\d+) \* 60\)\)/.exec(ciRun)?.[1]) * 60;
    const least = commandsOf(job).includes('.ci/run') ? seconds / 60 + 5 : 1;
    expect(job['timeout-minutes']).toBeGreaterThanOrEqual(least);
  });

  test('a job installs packages as .ci/run does', () => {
    const installing = commandsOf(job).filter((command) => /\bnpm (ci|i|install|add)\b|setup\.mjs/.test(command));
    expect(installing.filter((command) => command !== 'node host/setup.mjs install')).toEqual([]);
    expect(ciRun).toContain("step 'Dependencies' node host/setup.mjs install\n");
  });
});

/** Matches actions pinned by commit, images pinned by digest, and paths in this repository. */
const PINNED = /^(?:[\w.-]+\/[\w./-]+@[0-9a-f]{40}|(?:docker:\/\/)?[\w./:-]+@sha256:[0-9a-f]{64}|\.\/[\w./-]+)$/;
const REFERENCES = new Set(['uses', 'image', 'container']);

function referencesIn(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(referencesIn);
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) =>
    typeof value === 'string' ? (REFERENCES.has(name) ? [value] : []) : referencesIn(value),
  );
}

const unpinnedIn = (text: string) => referencesIn(parse(text)).filter((reference) => !PINNED.test(reference));

describe('References in CI workflows', () => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');

  test('every CI file is among the files that the next test reads', () => {
    const others =
      /(?:^|\/)(?:\.gitlab-ci\.ya?ml|\.circleci\/|azure-pipelines|Jenkinsfile|Dockerfile|(?:docker-)?compose[\w.-]*\.ya?ml|action\.ya?ml)/;
    const found = tracked.filter((path) => others.test(path) && !path.startsWith('.github/'));
    // Only users build the images in host/deploy/ (docs/how-to/scaling.md).
    expect(found.filter((path) => !path.startsWith('host/deploy/'))).toEqual([]);
    for (const file of [...WORKFLOWS.map((name) => `.github/workflows/${name}`), '.ci/run'])
      expect([file, /\bdocker\b|\bdeploy\//.test(read(file))]).toEqual([file, false]);
  });

  test('workflows pin actions by commit and container images by digest', () => {
    const files = tracked.filter((path) => /^\.github\/.*\.ya?ml$/.test(path));
    expect(WORKFLOWS.filter((file) => !files.includes(`.github/workflows/${file}`))).toEqual([]);
    expect(files.flatMap((file) => referencesIn(parse(read(file)))).length).toBeGreaterThan(8);
    expect(files.flatMap((file) => unpinnedIn(read(file)))).toEqual([]);
  });

  const commit = 'a'.repeat(40);
  const digest = `sha256:${'b'.repeat(64)}`;
  test.each([
    ['jobs: { a: { steps: [{ uses: actions/checkout@v7 }] } }', ['actions/checkout@v7']],
    [`jobs: { a: { uses: owner/name/.github/workflows/x.yml@main } }`, ['owner/name/.github/workflows/x.yml@main']],
    ['jobs: { a: { container: node:22 } }', ['node:22']],
    ['jobs: { a: { container: { image: node:22 } } }', ['node:22']],
    ['jobs: { a: { services: { redis: { image: redis } } } }', ['redis']],
    ['jobs: { a: { steps: [{ uses: docker://alpine:3 }] } }', ['docker://alpine:3']],
    ['runs: { steps: [{ uses: actions/cache@v5 }] }', ['actions/cache@v5']],
    [`jobs: { a: { container: node@${digest}, steps: [{ uses: actions/checkout@${commit} }] } }`, []],
    [`jobs: { a: { services: { redis: { image: redis:8@${digest} } }, steps: [{ uses: ./own }] } }`, []],
  ])('the check finds unpinned references in %s', (text, found) => {
    expect(unpinnedIn(text)).toEqual(found);
  });
});

test('a release builds and tests the package once before publication, and the signing job builds nothing', () => {
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

test('a release contains the published package and its software bill of materials', () => {
  const { check, release } = jobsOf('publish.yml');
  expect(commandsOf(check ?? { steps: [] }).at(-1)).toMatch(/^npm sbom .*> \.data\/ci\/sbom\.cdx\.json$/);
  expect(release).toMatchObject({ needs: 'publish', permissions: { contents: 'write' } });
  expect(commandsOf(release ?? { steps: [] })).toEqual([
    expect.stringMatching(/^gh release create "\$GITHUB_REF_NAME" .*--verify-tag .*\.tgz sbom\.cdx\.json$/),
  ]);
});

test('every field of an issue form has a label, and the bug report form asks for versions', () => {
  const forms = ['bug', 'feature'].map((name) => parse(read(`.github/ISSUE_TEMPLATE/${name}.yml`)) as IssueForm);
  for (const { name, description, body } of forms) {
    expect([name, description]).toEqual([expect.any(String), expect.any(String)]);
    const fields = body.filter(({ type }) => type !== 'markdown');
    expect(fields.filter(({ id, attributes }) => !id || !attributes.label)).toEqual([]);
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  }
  expect(forms[0]?.body.map(({ id }) => id)).toContain('versions');
});

test('a release checks for placeholders before any other step', () => {
  const commands = commandsOf(jobsOf('publish.yml').check ?? { steps: [] });
  expect(commands.indexOf('node host/placeholders.mjs')).toBeGreaterThanOrEqual(0);
  expect(commands.indexOf('node host/placeholders.mjs')).toBeLessThan(commands.indexOf('.ci/run'));
});

test('.ci/run is valid bash', () => {
  execFileSync('bash', ['-n', join(root, '.ci', 'run')]);
});
