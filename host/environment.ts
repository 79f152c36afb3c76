import type { Installation } from './install';
import { distFolder } from './paths';
import { freePort } from './ports';

/** What one n8n process needs to know. */
export interface EnvironmentOptions {
  installation: Installation;
  userFolder: string;
  port: number;
  tarball?: string;
  extensions?: string;
  env?: Record<string, string>;
}

/**
 * What n8n gets of the caller's environment, in any spelling of the case; nothing else. A variable that configures an
 * n8n, such as DB_TYPE or N8N_ENCRYPTION_KEY, would point this one at somebody's data.
 */
const PASSED_ON = [
  // Programs, temporary files, the language of messages.
  ...['PATH', 'TMPDIR', 'LANG', 'LC_ALL', 'LC_CTYPE'],
  // What programs on Windows don't start without.
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'TEMP', 'TMP', 'PROGRAMDATA', 'PROGRAMFILES'],
  ...['NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE'],
  // The way out of a company's network.
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
];
/** A proxy can not reach what listens on this computer. */
const LOOPBACK = ['127.0.0.1', 'localhost'];

/** The part of an environment that n8n gets. Proxies are not asked for what is on this computer. */
export function passedOn(env: NodeJS.ProcessEnv): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && PASSED_ON.includes(name.toUpperCase())) passed[name] = value;
  const direct = [env.no_proxy ?? env.NO_PROXY ?? '', ...LOOPBACK].filter((host) => host !== '').join(',');
  return { ...passed, NO_PROXY: direct, no_proxy: direct };
}

/** The whole environment of an n8n process: what is passed on, the settings of a quiet local run, what is asked for. */
export async function environmentOf(options: EnvironmentOptions): Promise<Record<string, string>> {
  return {
    ...passedOn(process.env),
    ...homes(options.userFolder),
    N8N_USER_FOLDER: options.userFolder,
    N8N_PORT: String(options.port),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    WEBHOOK_URL: `http://127.0.0.1:${options.port}/`,
    N8N_SECURE_COOKIE: 'false',
    // n8n makes its encryption key at the first start and keeps it in its settings file, which nobody else may read.
    N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
    GENERIC_TIMEZONE: 'America/New_York',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
    N8N_HIRING_BANNER_ENABLED: 'false',
    N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
    N8N_RUNNERS_BROKER_PORT: String(await freePort()),
    ...(options.installation.major === 1 ? { N8N_RUNNERS_ENABLED: 'false' } : { N8N_DISABLED_MODULES: 'mcp-registry' }),
    ...(options.tarball ? {} : { N8N_CUSTOM_EXTENSIONS: options.extensions ?? distFolder }),
    ...options.env,
  };
}

/** n8n keeps nothing in the folders of the person who starts it. */
const homes = (folder: string) => ({ HOME: folder, USERPROFILE: folder, APPDATA: folder, LOCALAPPDATA: folder });
