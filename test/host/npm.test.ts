import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { copyBuiltModules, rebuildModules } from '../../host/install';
import { npmCommand } from '../../host/npm.cjs';

describe('Starting npm without a shell', () => {
  const before = process.env.npm_execpath;
  afterEach(() => {
    if (before === undefined) delete process.env.npm_execpath;
    else process.env.npm_execpath = before;
  });

  test('npm is started by name if it is a program', () => {
    expect(npmCommand(['ci', 'a b'], { platform: 'linux' })).toEqual({ file: 'npm', args: ['ci', 'a b'] });
    expect(npmCommand(['ci'], { platform: 'darwin' })).toEqual({ file: 'npm', args: ['ci'] });
  });

  test('on Windows, the running npm script is started with an argument containing a space', () => {
    process.env.npm_execpath = 'C:\\Program Files\\nodejs\\node_modules\\npm\\bin\\npm-cli.js';
    const { file, args } = npmCommand(['pack', 'D:\\Ada Abbott'], { platform: 'win32' });
    expect(file).toBe(process.execPath);
    expect(args).toEqual([process.env.npm_execpath, 'pack', 'D:\\Ada Abbott']);
  });

  test.each([undefined, 'C:\\yarn\\bin\\yarn.js'])(
    'on Windows, the script next to Node.js starts when %s runs',
    (running) => {
      if (running === undefined) delete process.env.npm_execpath;
      else process.env.npm_execpath = running;
      const { file, args } = npmCommand(['ci'], { platform: 'win32', node: 'node24.exe' });
      expect(file).toBe('node24.exe');
      expect(args[0]).toContain(join('node_modules', 'npm', 'bin', 'npm-cli.js'));
    },
  );
});

// The lock file contains no hash of the binary that sqlite3's install script would download.
test('npm runs the install scripts of native modules and builds sqlite3 from source', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rebuild-'));
  const module = join(folder, 'node_modules', 'probe');
  mkdirSync(module, { recursive: true });
  const names = ['npm_config_build_from_source', 'npm_config_nodedir'];
  const script = `require('fs').writeFileSync('seen.json', JSON.stringify(${JSON.stringify(names)}.map((name) => process.env[name])))`;
  writeFileSync(join(module, 'install.js'), script);
  const manifest = { name: 'probe', version: '1.0.0', scripts: { install: 'node install.js' } };
  writeFileSync(join(module, 'package.json'), JSON.stringify(manifest));
  await rebuildModules(['probe'], { name: 'probe', folder, node: { binary: process.execPath, headers: folder } });
  expect(JSON.parse(readFileSync(join(module, 'seen.json'), 'utf8'))).toEqual(['sqlite3', folder]);
});

test('an installation copies the binary of a module only from the same version of the module', () => {
  const [from = '', to = ''] = ['from', 'to'].map((name) => mkdtempSync(join(tmpdir(), `${name}-`)));
  const create = (folder: string, name: string, version: string, isBuilt: boolean) => {
    const release = join(folder, 'node_modules', name, 'build', 'Release');
    mkdirSync(isBuilt ? release : join(folder, 'node_modules', name), { recursive: true });
    writeFileSync(join(folder, 'node_modules', name, 'package.json'), JSON.stringify({ version }));
    if (isBuilt) for (const file of [`${name}.node`, `${name}.o`]) writeFileSync(join(release, file), name);
  };
  for (const [name, theirs, isBuilt] of [
    ['equal', '1.0.0', true],
    ['other', '2.0.0', true],
    ['unbuilt', '1.0.0', false],
  ] as const) {
    create(from, name, theirs, isBuilt);
    create(to, name, '1.0.0', false);
  }
  expect(copyBuiltModules(['equal', 'other', 'unbuilt'], from, to)).toEqual(['other', 'unbuilt']);
  const release = join(to, 'node_modules', 'equal', 'build', 'Release');
  expect(readFileSync(join(release, 'equal.node'), 'utf8')).toBe('equal');
  expect(existsSync(join(release, 'equal.o'))).toBe(false);
  expect(existsSync(join(to, 'node_modules', 'other', 'build'))).toBe(false);
});
