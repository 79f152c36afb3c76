import { lock } from 'proper-lockfile';

/** A lock that was not renewed for so long is left over from a process that was killed. */
const STALE_MS = 20_000;
const RETRY_MS = 500;

type Release = () => Promise<void>;

/**
 * Runs `work` while no other process does: two installations at once would corrupt each other.
 * @param path what is worked on, in a folder that exists; the lock is `<path>.lock`.
 * @param report is told when another process has to be waited for.
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
  report('Another installation is under way; waiting for it ...');
  return await lock(path, { ...options, retries: { forever: true, minTimeout: RETRY_MS, maxTimeout: RETRY_MS } });
}

const isLocked = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ELOCKED';
