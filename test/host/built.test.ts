import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { resolveOutputSchemaPath } from 'n8n-core';
import type { INodeTypeDescription } from 'n8n-workflow';

import { root } from '../../host/paths';
import { packageNodes } from '../package-nodes';
import { toolDescriptions } from '../../nodes/PaymentPlatform/description.data';
import { resources } from '../../nodes/PaymentPlatform/resources';

const folder = mkdtempSync(join(tmpdir(), 'built-'));

const inBuilt = (script: string): unknown => {
  const env = { ...process.env, NODE_PATH: join(root, 'node_modules') };
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { cwd: folder, env, encoding: 'utf8' }));
};

const inNodes = (script: string) =>
  inBuilt(`
    const load = (name) => new (require(\`./dist/nodes/PaymentPlatform/\${name}.node.js\`)[name])();
    const [node, trigger] = ['PaymentPlatform', 'PaymentPlatformTrigger'].map(load);
    const print = (value) => process.stdout.write(JSON.stringify(value));
    ${script}
  `);

beforeAll(() => {
  const gulp = join(root, 'node_modules', 'gulp', 'bin', 'gulp.js');
  execFileSync(process.execPath, [gulp, '--silent', `--dist=${join(folder, 'dist')}`], { cwd: root });
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the built nodes return the same description as their sources', () => {
  const built = inNodes('print([node, trigger].map(({ description }) => description))') as INodeTypeDescription[];
  const computed = JSON.stringify(packageNodes().map(({ description }) => description));
  expect(built).toEqual(JSON.parse(computed));
  expect(JSON.stringify(built)).toBe(computed);
});

test('the built node describes each operation to models as its source does', () => {
  const built = inNodes(`
    const options = node.description.properties.filter(({ name }) => name === 'operation').flatMap((one) => one.options);
    print(options.map(({ action }) => action))
  `);
  expect(built).toEqual(Object.values(toolDescriptions()));
});

test("n8n's resolver finds a built output schema for each operation with a known response", () => {
  const nodeDir = join(folder, 'dist', 'nodes', 'PaymentPlatform');
  const missing = resources.flatMap(({ value: resource, operations }) =>
    operations
      .filter(({ request }) => request.operationId)
      .map(({ value: operation }) => ({ nodeDir, version: 1, resource, operation }))
      .filter((one) => !existsSync(resolveOutputSchemaPath(one) ?? '')),
  );
  expect(missing).toEqual([]);
});

test('the package has at most 12 kB for each operation', () => {
  const built = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' });
  const others = ['README.md', 'LICENSE', 'package.json'].map((name) => join(root, name));
  const files = [...built.map((path) => join(folder, 'dist', path)), ...others].map((path) => statSync(path));
  const bytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
  const operations = resources.flatMap((resource) => resource.operations);
  expect(bytes / operations.length).toBeLessThan(12_000);
});

test("n8n's changes to one description don't affect other nodes", () => {
  const script = 'node.description.properties.length = 0; print(load("PaymentPlatform").description.properties.length)';
  expect(inNodes(script)).toBeGreaterThan(0);
});

test("reading the descriptions doesn't load the code of operations and the trigger", () => {
  const loaded = inNodes('print(Object.keys(require.cache).filter((path) => path.startsWith(process.cwd())))');
  expect((loaded as string[]).map((path) => path.slice(join(folder, 'dist', 'nodes', '/').length)).sort()).toEqual([
    'PaymentPlatform/PaymentPlatform.node.js',
    'PaymentPlatform/PaymentPlatformTrigger.node.js',
  ]);
});

test("n8n's calls to the built nodes run the loaded code", () => {
  const ran = inNodes(`
    const context = {
      getNode: () => ({ name: 'A', type: 'paymentPlatform', parameters: {} }),
      getContext: () => ({}),
      evaluateExpression: () => 0,
      continueOnFail: () => false,
      getNodeParameter: (name) => name,
      getCredentials: async () => ({ baseUrl: 'nowhere' }),
      getTimezone: () => 'UTC',
      getInputData: () => [{ json: { kept: true } }],
      getCurrentNodeParameter: () => ({ __rl: true, mode: 'id', value: '1' }),
    };
    const outcome = (made) => made.then((value) => value, (error) => error.message);
    const { listSearch, loadOptions } = node.methods;
    const calls = [node.execute, ...Object.values(listSearch), loadOptions.getCountries, trigger.execute];
    void Promise.all(calls.map((call) => outcome(call.call(context)))).then(print);
  `);
  const searches = packageNodes().flatMap(({ methods }) => Object.keys(methods?.listSearch ?? {}));
  expect(searches.length).toBeGreaterThan(0);
  const refused: unknown = expect.stringContaining('the Base URL is not a URL');
  expect(ran).toEqual([
    'The operation "operation" of the resource "resource" does not exist',
    ...searches.map(() => refused),
    expect.arrayContaining([{ name: 'United States (US, 840)', value: '840' }]),
    [[{ json: { kept: true } }]],
  ]);
});

test('missing code is reported, and the next call tries to load it again', () => {
  const [missing, found] = inNodes(`
    const { renameSync } = require('node:fs');
    const [file, elsewhere] = ['./dist/nodes/PaymentPlatform/runtime.js', './elsewhere.js'];
    const context = { getNode: () => ({ name: 'A', type: 'paymentPlatformTrigger' }), getInputData: () => [] };
    renameSync(file, elsewhere);
    void trigger.execute.call(context).catch(({ message, description }) => {
      renameSync(elsewhere, file);
      return trigger.execute.call(context).then((items) => print([{ message, description }, items]));
    });
  `) as [{ message: string; description: string }, unknown];
  expect(missing.message).toBe('n8n could not load the code of this node');
  expect(missing.description).toMatch(/^Nothing was sent[.].*Cannot find module '.[/]runtime'[)]$/);
  expect(found).toEqual([[]]);
});
