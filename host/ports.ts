import { randomInt } from 'node:crypto';

import getPort, { portNumbers } from 'get-port';

const LOOPBACK = '127.0.0.1';

/**
 * Ports that no operating system assigns automatically. A process therefore finds its port free after a restart. Linux
 * assigns ports from 32768, and macOS and Windows assign ports from 49152.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;

/**
 * Returns a free port on loopback and reserves the port in this process. Begins at a random port, because other
 * processes choose ports at the same time.
 */
export async function freePort(): Promise<number> {
  const start = randomInt(FIRST_PORT + 1, LAST_PORT);
  const candidates = [...portNumbers(start, LAST_PORT), ...portNumbers(FIRST_PORT, start)];
  return await getPort({ host: LOOPBACK, port: candidates, reserve: true });
}

/** Returns whether a port on loopback is free. */
export const isFree = async (port: number): Promise<boolean> => (await getPort({ host: LOOPBACK, port })) === port;
