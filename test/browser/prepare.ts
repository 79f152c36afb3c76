import { startDemo } from './demo';

/** Starts the demo once for all browser tests. `finish.ts` stops the demo. */
export default async function prepare(): Promise<void> {
  Object.assign(globalThis, { stopDemo: await startDemo() });
}
