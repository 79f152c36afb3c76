import { lock } from 'proper-lockfile';

/** Milliseconds after which an unrenewed lock expires. */
const STALE_MS = 20_000;
const RETRY_MS = 500;

type Release = () => Promise<void>;

/**
 * Runs `work` while holding the lock `<path>.lock`.
 * @param report called if another process holds the lock.
 */
export async function withLock<T>(path: string, report: (message: string) => void, work: () => Promise<T>): Promise<T> {
  const release = await take(path, report);
  try {
    return await work();
  } finally {
    await release();
  }
}

async function take(path: string, report: (message: string) => void): Promise<Release> {
  const options = { realpath: false, stale: STALE_MS };
  try {
    return await lock(path, options);
  } catch (error) {
    if (!isLocked(error)) throw error;
  }
  report('Another installation is in progress. Waiting until it ends ...');
  return await lock(path, { ...options, retries: { forever: true, minTimeout: RETRY_MS, maxTimeout: RETRY_MS } });
}

const isLocked = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ELOCKED';
