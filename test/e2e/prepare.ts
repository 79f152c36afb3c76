import { installHost } from '../../host/install';
import { hosts } from './host';
import { buildPackage } from './package';

/** Before the end-to-end tests: each n8n is installed, side by side, and the package is built from the sources as they are. */
export default async function prepare(): Promise<void> {
  const say = (message: string) => process.stderr.write(`${message}\n`);
  await Promise.all(hosts.map(async ({ major }) => await installHost(say, major)));
  await buildPackage(say);
}
