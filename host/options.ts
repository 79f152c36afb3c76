import { parseArgs } from 'node:util';

export interface StartOptions {
  once: boolean;
  reset: boolean;
  port: number;
  sandboxPort: number;
}

/**
 * Reads the options of `npm start`.
 * @throws Error for an unknown option or an invalid port.
 */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): StartOptions {
  const { values } = parseArgs({
    args,
    options: {
      once: { type: 'boolean' },
      reset: { type: 'boolean' },
      port: { type: 'string' },
      'sandbox-port': { type: 'string' },
    },
  });
  return {
    once: values.once ?? false,
    reset: values.reset ?? false,
    port: readPort('--port', values.port ?? env.PAYMENT_PLATFORM_N8N_PORT ?? '5678'),
    sandboxPort: readPort('--sandbox-port', values['sandbox-port'] ?? env.PAYMENT_PLATFORM_SANDBOX_PORT ?? '4010'),
  };
}

function readPort(name: string, value: string): number {
  const port = Number(value);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`${name} must be a port from 1 to 65535, not "${value}"`);
}
