import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { Installation } from './install';
import { dataFolder, distFolder } from './paths';
import { freePort } from './ports';

export interface EnvironmentOptions {
  installation: Installation;
  userFolder: string;
  port: number;
  tarball?: string;
  extensions?: string;
  env?: Record<string, string>;
}

/** Variables that n8n inherits. Others, such as DB_TYPE, could connect it to another installation's data. */
const PASSED_ON = [
  ...['PATH', 'TMPDIR', 'LANG', 'LC_ALL', 'LC_CTYPE'],
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'TEMP', 'TMP', 'PROGRAMDATA', 'PROGRAMFILES'],
  ...['NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
];
/** Disables n8n's editor and the process for Code nodes, so that n8n starts faster. */
export const QUICK_START = {
  N8N_DISABLE_UI: 'true',
  N8N_RUNNERS_MODE: 'external',
  N8N_RUNNERS_AUTH_TOKEN: randomUUID(),
};
const LOOPBACK = ['127.0.0.1', 'localhost'];

/** Returns the variables that n8n inherits. Connections to this computer bypass the proxy. */
export function passedOn(env: NodeJS.ProcessEnv): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && PASSED_ON.includes(name.toUpperCase())) passed[name] = value;
  const direct = [env.no_proxy ?? env.NO_PROXY ?? '', ...LOOPBACK].filter((host) => host !== '').join(',');
  return { ...passed, NO_PROXY: direct, no_proxy: direct };
}

/** Returns the environment of a local n8n without telemetry and update checks. */
export async function environmentOf(options: EnvironmentOptions): Promise<Record<string, string>> {
  return {
    ...passedOn(process.env),
    ...homes(options.userFolder),
    N8N_USER_FOLDER: options.userFolder,
    N8N_PORT: String(options.port),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    WEBHOOK_URL: `http://127.0.0.1:${options.port}/`,
    N8N_SECURE_COOKIE: 'false',
    // Protects the settings file, because it contains the encryption key.
    N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
    GENERIC_TIMEZONE: 'America/New_York',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
    N8N_HIRING_BANNER_ENABLED: 'false',
    N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
    NODE_COMPILE_CACHE: join(dataFolder, 'compile-cache'),
    N8N_RUNNERS_BROKER_PORT: String(await freePort()),
    ...(options.installation.major === 1 ? { N8N_RUNNERS_ENABLED: 'false' } : { N8N_DISABLED_MODULES: 'mcp-registry' }),
    ...(options.tarball ? {} : { N8N_CUSTOM_EXTENSIONS: options.extensions ?? distFolder }),
    ...options.env,
  };
}

/** Prevents n8n from using the user's home folder. */
const homes = (folder: string) => ({ HOME: folder, USERPROFILE: folder, APPDATA: folder, LOCALAPPDATA: folder });
