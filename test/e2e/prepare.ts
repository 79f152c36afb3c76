import { runCommand } from '../../host/command';
import { installHost } from '../../host/install';

/** Before the end-to-end tests: n8n is installed and the package is built and packed from the sources as they are. */
export default async function prepare(): Promise<void> {
  const say = (message: string) => process.stderr.write(`${message}\n`);
  await installHost(say);
  await runCommand('build', 'npm', ['run', 'build']);
}
