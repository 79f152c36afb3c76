import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { passedOn } from '../../host/environment';
import { startN8n } from '../../host/n8n';

/** Replacement for n8n that writes its environment variables to a file and then keeps running. */
const PROGRAM = `
require('node:fs').writeFileSync('environment.json', JSON.stringify(process.env));
setInterval(() => 0, 1000);
console.log('Editor is now accessible');
`;

describe('The environment of a started n8n', () => {
  let folder: string;
  const planted = new Map<string, string | undefined>();
  const plant = (name: string, value: string) => {
    planted.set(name, process.env[name]);
    process.env[name] = value;
  };
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'payment-platform-environment-'))));
  afterEach(() => {
    for (const [name, value] of planted)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    planted.clear();
    rmSync(folder, { recursive: true, force: true });
  });

  const found = async (major: 1 | 2, env?: Record<string, string>) => {
    const program = join(folder, 'n8n.js');
    writeFileSync(program, PROGRAM);
    const installation = { major, version: `${major}.0.0`, node: process.execPath, n8n: program };
    const n8n = await startN8n({ installation, userFolder: join(folder, 'user'), env });
    await n8n.stop();
    return JSON.parse(readFileSync(join(folder, 'user', 'environment.json'), 'utf8')) as Record<string, string>;
  };

  test.each([1, 2] as const)(
    'the environment of n8n contains no variable that configures another n8n (n8n %i)',
    async (major) => {
      const strange = {
        DB_TYPE: 'postgresdb',
        DB_POSTGRESDB_HOST: 'database.invalid',
        EXECUTIONS_MODE: 'queue',
        QUEUE_BULL_REDIS_HOST: 'redis.invalid',
        N8N_ENCRYPTION_KEY: 'planted',
        N8N_USER_FOLDER: '/planted',
        N8N_LICENSE_ACTIVATION_KEY: 'planted',
        WEBHOOK_URL: 'https://planted.invalid/',
        CREDENTIALS_OVERWRITE_DATA: '{}',
        NODE_OPTIONS: '--no-warnings',
        NODE_ENV: 'test',
        AWS_SECRET_ACCESS_KEY: 'planted',
      };
      for (const [name, value] of Object.entries(strange)) plant(name, value);
      const environment = await found(major);
      const left = Object.entries(strange).filter(([name, value]) => environment[name] === value);
      expect(left).toEqual([]);
      expect(environment.N8N_USER_FOLDER).toBe(join(folder, 'user'));
      expect(environment.HOME).toBe(join(folder, 'user'));
      const path = Object.entries(environment).find(([name]) => name.toUpperCase() === 'PATH');
      expect(path?.[1]).toBe(process.env.PATH);
      const others = Object.keys(environment).filter((name) => name.startsWith('DB_') || name.startsWith('QUEUE_'));
      expect(others).toEqual([]);
    },
  );

  test('the environment of n8n contains no encryption key, because n8n creates a private one', async () => {
    const environment = await found(2);
    expect(environment.N8N_ENCRYPTION_KEY).toBeUndefined();
    expect(environment.N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS).toBe('true');
  });

  test('the environment of n8n contains the variables that the caller passes to startN8n', async () => {
    expect(await found(2, { EXECUTIONS_MODE: 'queue' })).toMatchObject({ EXECUTIONS_MODE: 'queue' });
  });
});

test("the environment of n8n contains variable names in the system's spelling", () => {
  expect(passedOn({ Path: 'C:\\Windows', SystemRoot: 'C:\\Windows', n8n_port: '1' })).toEqual({
    Path: 'C:\\Windows',
    SystemRoot: 'C:\\Windows',
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  });
});

test('the environment of n8n contains the proxy, but excludes addresses on this computer from the proxy', () => {
  expect(passedOn({ https_proxy: 'http://proxy.invalid:3128', no_proxy: '.invalid' })).toEqual({
    https_proxy: 'http://proxy.invalid:3128',
    NO_PROXY: '.invalid,127.0.0.1,localhost',
    no_proxy: '.invalid,127.0.0.1,localhost',
  });
});
