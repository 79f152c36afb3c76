import { parseArgs } from 'node:util';

export interface StartOptions {
  once: boolean;
  reset: boolean;
  help: boolean;
  port: number;
  sandboxPort: number;
}

export const USAGE = `Usage: npm start -- [options]

  --once               end after the main workflow, with exit code 0 on success and 1 on failure
  --reset              delete the data of earlier runs, but keep the installation
  --port <n>           port of the n8n editor, also PAYMENT_PLATFORM_N8N_PORT (default 5678)
  --sandbox-port <n>   port of the sandbox, also PAYMENT_PLATFORM_SANDBOX_PORT (default 4010)
  --help               show this text`;

/** Reads the options of `npm start`. Throws an Error about an unknown option or an invalid port. */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): StartOptions {
  const { values } = parseArgs({
    args,
    options: {
      once: { type: 'boolean' },
      reset: { type: 'boolean' },
      help: { type: 'boolean' },
      port: { type: 'string' },
      'sandbox-port': { type: 'string' },
    },
  });
  return {
    once: values.once ?? false,
    reset: values.reset ?? false,
    help: values.help ?? false,
    port: readPort('--port', values.port ?? env.PAYMENT_PLATFORM_N8N_PORT ?? '5678'),
    sandboxPort: readPort('--sandbox-port', values['sandbox-port'] ?? env.PAYMENT_PLATFORM_SANDBOX_PORT ?? '4010'),
  };
}

function readPort(name: string, value: string): number {
  const port = Number(value);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`${name} must be a port from 1 to 65535, not "${value}"`);
}
