import getPort from 'get-port';

const LOOPBACK = '127.0.0.1';

/** Returns a free port on loopback that this process didn't receive recently. */
export const freePort = async (): Promise<number> => await getPort({ host: LOOPBACK });

/** Returns whether a port on loopback is free. */
export const isFree = async (port: number): Promise<boolean> => (await getPort({ host: LOOPBACK, port })) === port;
