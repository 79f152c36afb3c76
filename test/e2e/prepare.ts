import { installHost } from '../../host/install';
import { major } from './host';
import { buildPackage } from './package';

/**
 * Installs n8n and builds the package before the end-to-end tests. Tests that use another version of n8n install the
 * version or wait for its installation (sequencer.mjs).
 */
export default async function prepare(): Promise<void> {
  const say = (message: string) => process.stderr.write(`${message}\n`);
  await installHost(say, major);
  await buildPackage(say);
}
