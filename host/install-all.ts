import { installHost, MAJORS } from './install';

/** Installs the newest n8n first, because the end-to-end tests need it first. */
async function main(): Promise<void> {
  const began = Date.now();
  const say = (message: string) => console.log(message);
  for (const major of MAJORS) await installHost(say, major);
  say(`Installed in ${Math.round((Date.now() - began) / 1000)} s.`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
