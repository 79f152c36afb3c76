import { join } from 'node:path';

export const root = join(__dirname, '..');
/** Folder for all files that local runs create. Git ignores it. */
export const dataFolder = join(root, '.data');
export const logsFolder = join(dataFolder, 'logs');
/** Output folder of `npm run build`. */
export const distFolder = join(root, 'dist');
export const examplesFolder = join(root, 'examples');
