import { installHost } from '../../host/install';
import { major } from './host';
import { buildPackage } from './package';

/** Installs n8n and builds the package before the end-to-end tests. */
export default async function prepare(): Promise<void> {
  const say = (message: string) => process.stderr.write(`${message}\n`);
  await installHost(say, major);
  await buildPackage(say);
}
