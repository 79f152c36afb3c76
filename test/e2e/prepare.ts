import { installHost } from '../../host/install';
import { newestMajor } from './host';
import { buildPackage } from './package';

/**
 * Before the end-to-end tests: the newest n8n is installed, and the package is built from the sources as they are.
 * Tests that need another version install it, or wait for the installation that is under way (sequencer.mjs).
 */
export default async function prepare(): Promise<void> {
  const say = (message: string) => process.stderr.write(`${message}\n`);
  await installHost(say, newestMajor);
  await buildPackage(say);
}
