import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { root } from '../../host/paths';

const REPOSITORY = '"repository": { "url": "git+https://github.com/ada/payments.git" }';
const FILLED: Record<string, string> = {
  'package.json': `{\n  "author": { "name": "Ada Abbott" },\n  ${REPOSITORY}\n}\n`,
  LICENSE: 'Copyright (c) 2026 Ada Abbott\n',
  'credentials/Own.credentials.ts': "documentationUrl = 'https://payments.invalid/#credential';\n",
  'nodes/Own/Own.node.json': '{ "primaryDocumentation": [{ "url": "https://payments.invalid" }] }\n',
  'nodes/Own/__schema__/v1.0.0/get.json': '{ "type": "object" }\n',
  'dist/nodes/Own/Own.node.js': "exports.x = 'https://payments.invalid';\n",
};

describe('Placeholders in the publishing workflow', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'payment-platform-placeholders-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const check = (files: Record<string, string>) => {
    for (const [path, text] of Object.entries({ ...FILLED, ...files })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const program = join(root, 'host', 'placeholders.mjs');
    const { status, stderr } = spawnSync(process.execPath, [program, folder], { encoding: 'utf8' });
    return { status, lines: stderr.trim().split('\n') };
  };

  test.each([
    ['package.json', `{\n  "homepage": "https://example.com/package",\n  ${REPOSITORY}\n}`],
    ['package.json', `{\n  "author": "owner@example.com",\n  ${REPOSITORY}\n}`],
    ['LICENSE', 'MIT License\nCopyright (c) 2026 Package Owner'],
    ['README.md', '# Package\nSee https://www.example.com.'],
    ['CHANGELOG.md', '# Changes\n[0.1.0]: https://example.com/0.1.0'],
    ['credentials/Own.credentials.ts', "icon = '';\ndocumentationUrl = 'https://example.com/package#credential';"],
    ['nodes/Own/Own.node.json', '{\n"url": "https://example.com/package"}'],
    ['nodes/Own/Own.node.ts', '\n// see https://example.org'],
    ['dist/nodes/Own/Own.node.json', '{\n"url": "https://example.com/package"}'],
  ])('the publishing workflow refuses a placeholder in %s: %p', (path, text) => {
    const { status, lines } = check({ [path]: text });
    expect(status).toBe(1);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain(`${path}:2: `);
    expect(lines[1]).toContain('docs/how-to/publish.md');
  });

  test('the publishing workflow finds only placeholders that docs/how-to/publish.md lists', () => {
    const page = readFileSync(join(root, 'docs/how-to/publish.md'), 'utf8');
    const [, documented = ''] = page.split('## Replace the placeholders');
    const listed = [...documented.matchAll(/^\|[^|]+\| +`([^`]+)` +\|/gm)].map(([, one = '']) => one);
    const { stderr } = spawnSync(process.execPath, [join(root, 'host', 'placeholders.mjs')], { encoding: 'utf8' });
    const found = stderr.trim().split('\n').slice(0, -1);
    expect(listed).toHaveLength(3);
    // The folder dist may contain an older build.
    const ofSources = found.filter((line) => !line.startsWith('dist/'));
    expect(ofSources.filter((line) => !listed.some((one) => line.includes(one)))).toEqual([]);
    expect(ofSources.filter((line) => line.includes('://'))).toEqual([]);
  });

  test.each(['{}', '{ "repository": { "url": "https://payments.invalid/own.git" } }'])(
    'the publishing workflow refuses a package without a GitHub repository: %s',
    (text) => {
      const { status, lines } = check({ 'package.json': text });
      expect([status, lines[0]]).toEqual([1, 'package.json: no GitHub repository']);
    },
  );

  test('the publishing workflow accepts sample addresses and a package without placeholders', () => {
    const text = "placeholder: 'e.g. ana@example.com, https://api.example.com, https://shop.example.com/thanks'";
    expect(check({ 'nodes/Own/fields.ts': text })).toEqual({ status: 0, lines: [''] });
  });
});
