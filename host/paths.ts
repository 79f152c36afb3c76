import { join } from 'node:path';

/** Path of the repository. */
export const root = join(__dirname, '..');
/** Folder for all files that local runs create. Git ignores the folder. */
export const dataFolder = join(root, '.data');
export const logsFolder = join(dataFolder, 'logs');
/** Output folder of `npm run build`, which n8n can load as a custom extension. */
export const distFolder = join(root, 'dist');
export const examplesFolder = join(root, 'examples');
