import { randomInt } from 'node:crypto';

import getPort, { portNumbers } from 'get-port';

const LOOPBACK = '127.0.0.1';

/** Outside all systems' ephemeral ranges, so that ports stay free during a restart. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;

/** Returns a free port on loopback. Starts at a random port, because other processes also choose ports. */
export async function freePort(): Promise<number> {
  const start = randomInt(FIRST_PORT + 1, LAST_PORT);
  const candidates = [...portNumbers(start, LAST_PORT), ...portNumbers(FIRST_PORT, start)];
  return await getPort({ host: LOOPBACK, port: candidates, reserve: true });
}

export const isFree = async (port: number): Promise<boolean> => (await getPort({ host: LOOPBACK, port })) === port;
