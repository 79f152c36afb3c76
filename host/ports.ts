import getPort from 'get-port';

const LOOPBACK = '127.0.0.1';

/** A port on loopback that nobody uses, and that this process was not given a moment ago. */
export const freePort = async (): Promise<number> => await getPort({ host: LOOPBACK });

/** Whether a port on loopback is free. */
export const isFree = async (port: number): Promise<boolean> => (await getPort({ host: LOOPBACK, port })) === port;
