import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { clientFor } from './client';

const ROOT = join(__dirname, '..', '..');

function start(...options: string[]): ChildProcess {
  const command = ['--import', 'tsx', 'sandbox/main.ts', ...options];
  return spawn(process.execPath, command, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function firstOutput(stream: NodeJS.ReadableStream | null): Promise<string> {
  if (!stream) throw new Error('No output');
  const [chunk] = (await once(stream, 'data')) as [Buffer];
  return chunk.toString();
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  "the command prints the sandbox's URLs, responds to requests, and stops cleanly on %s",
  async (signal) => {
    const child = start('--port', '0');
    try {
      const text = await firstOutput(child.stdout);
      const baseUrl = /Base URL\s+(http:\/\/127\.0\.0\.1:\d+\/test)/.exec(text)?.[1] ?? '';
      const merchantId = /Merchant ID\s+(\d+)/.exec(text)?.[1] ?? '';
      const apiKey = /Sandbox API key\s+(\S+)/.exec(text)?.[1] ?? '';
      const token = Buffer.from(`${merchantId}:${apiKey}`).toString('base64');
      const list = await clientFor(baseUrl, `Basic ${token}`).get<{ totalRecords: number }>('/platform/vault/customer');
      expect([list.status, list.data.totalRecords]).toEqual([200, 25]);
    } finally {
      child.kill(signal);
    }
    // Windows terminates the process immediately.
    expect(await once(child, 'exit')).toEqual(process.platform === 'win32' ? [null, signal] : [0, null]);
  },
);

test('the command reports a port in use and exits with status 1', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const child = start('--port', String(typeof address === 'object' ? address?.port : 0));
  const exit = once(child, 'exit');
  expect(await firstOutput(child.stderr)).toContain('already in use');
  expect(await exit).toEqual([1, null]);
  other.close();
});
