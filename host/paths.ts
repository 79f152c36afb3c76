import { join } from 'node:path';

/** The repository. */
export const root = join(__dirname, '..');
/** The one folder, ignored by git, that holds everything local runs leave behind. */
export const dataFolder = join(root, '.data');
export const logsFolder = join(dataFolder, 'logs');
/** What `npm run build` makes: the folder that n8n can load as a custom extension. */
export const distFolder = join(root, 'dist');
export const examplesFolder = join(root, 'examples');
