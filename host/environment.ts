import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { Installation } from './install';
import { dataFolder, distFolder } from './paths';
import { freePort } from './ports';

/** Options of one n8n process. */
export interface EnvironmentOptions {
  installation: Installation;
  userFolder: string;
  port: number;
  tarball?: string;
  extensions?: string;
  env?: Record<string, string>;
}

/**
 * Variables that n8n inherits from the caller, in uppercase or lowercase. Other variables, such as DB_TYPE or
 * N8N_ENCRYPTION_KEY, could connect n8n to the data of another installation.
 */
const PASSED_ON = [
  // Locations of programs and temporary files, and the language of messages.
  ...['PATH', 'TMPDIR', 'LANG', 'LC_ALL', 'LC_CTYPE'],
  // Variables that programs need to start on Windows.
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'TEMP', 'TMP', 'PROGRAMDATA', 'PROGRAMFILES'],
  ...['NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE'],
  // Proxy settings and certificates of a company network.
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
];
/**
 * Disables the editor and the process for Code nodes, so that n8n starts faster. n8n would otherwise generate the
 * editor's files at every start.
 */
export const QUICK_START = {
  N8N_DISABLE_UI: 'true',
  N8N_RUNNERS_MODE: 'external',
  N8N_RUNNERS_AUTH_TOKEN: randomUUID(),
};
/** Hosts on this computer, which a proxy can't reach. */
const LOOPBACK = ['127.0.0.1', 'localhost'];

/** Returns the variables that n8n inherits. Connections to this computer bypass the proxy. */
export function passedOn(env: NodeJS.ProcessEnv): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && PASSED_ON.includes(name.toUpperCase())) passed[name] = value;
  const direct = [env.no_proxy ?? env.NO_PROXY ?? '', ...LOOPBACK].filter((host) => host !== '').join(',');
  return { ...passed, NO_PROXY: direct, no_proxy: direct };
}

/**
 * Returns the environment of an n8n process. Combines inherited variables, settings for a local run without telemetry
 * or update checks, and the caller's variables.
 */
export async function environmentOf(options: EnvironmentOptions): Promise<Record<string, string>> {
  return {
    ...passedOn(process.env),
    ...homes(options.userFolder),
    N8N_USER_FOLDER: options.userFolder,
    N8N_PORT: String(options.port),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    WEBHOOK_URL: `http://127.0.0.1:${options.port}/`,
    N8N_SECURE_COOKIE: 'false',
    // Keeps the settings file private, because n8n stores its generated encryption key in this file.
    N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
    GENERIC_TIMEZONE: 'America/New_York',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
    N8N_HIRING_BANNER_ENABLED: 'false',
    N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
    // Caches the compiled code of n8n, so that later starts take less time.
    NODE_COMPILE_CACHE: join(dataFolder, 'compile-cache'),
    N8N_RUNNERS_BROKER_PORT: String(await freePort()),
    ...(options.installation.major === 1 ? { N8N_RUNNERS_ENABLED: 'false' } : { N8N_DISABLED_MODULES: 'mcp-registry' }),
    ...(options.tarball ? {} : { N8N_CUSTOM_EXTENSIONS: options.extensions ?? distFolder }),
    ...options.env,
  };
}

/** Replaces the user's home folders, so that n8n doesn't read or change the user's files. */
const homes = (folder: string) => ({ HOME: folder, USERPROFILE: folder, APPDATA: folder, LOCALAPPDATA: folder });
