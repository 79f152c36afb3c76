import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { root } from '../../host/paths';
import { freePort } from '../../host/ports';
import { endGroup, hasEnded } from '../../host/process-group';

const VARIABLE = 'PAYMENT_PLATFORM_DEMO';
const LIMIT_MS = 600_000;

export interface Demo {
  crmWorkflow: string;
  crmTable: string;
  service: string;
  documentation: string;
  email: string;
  password: string;
}

/** Runs `npm start` on free ports, and returns a function that stops the demo. */
export async function startDemo(): Promise<() => Promise<void>> {
  const ports = ['--port', String(await freePort()), '--sandbox-port', String(await freePort())];
  // Starts the script directly, because npm doesn't pass on the signal that ends the demo.
  const child = spawn(process.execPath, [join(root, 'host', 'setup.mjs'), 'start', ...ports], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const stop = async () => await endGroup(child, 'SIGTERM');
  const until = Date.now() + LIMIT_MS;
  while (!printed.includes('Press Ctrl-C')) {
    if (hasEnded(child) || Date.now() > until) {
      await stop();
      throw new Error(`npm start did not become ready:\n${printed}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  process.env[VARIABLE] = JSON.stringify(demoIn(printed));
  return stop;
}

export const demo = (): Demo => JSON.parse(process.env[VARIABLE] ?? '{}') as Demo;

function demoIn(printed: string): Demo {
  const find = (pattern: RegExp): string => {
    const [, found] = pattern.exec(printed) ?? [];
    if (found === undefined) throw new Error(`npm start did not print ${pattern.source}:\n${printed}`);
    return found;
  };
  return {
    crmWorkflow: find(/^CRM workflow +(\S+)/m),
    crmTable: find(/^CRM table +(\S+)/m),
    service: find(/^Sandbox +(\S+)/m),
    documentation: find(/^Documentation +(http\S+)/m),
    email: find(/^Login +(\S+) \//m),
    password: find(/^Login +\S+ \/ (\S+)/m),
  };
}
