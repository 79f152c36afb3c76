import { markFiles } from './marks';
import { kindFiles } from './meanings';
import { recordNameFiles } from './records';
import { typeFiles } from './types';
import { wireFiles } from './wire';
import { wordFiles } from './words';
import { writeFiles, type Files } from './written';

/** Generates interface/types.d.ts and the files of nodes/PaymentPlatform/wire that no person writes. */
export const codeFiles = (): Files => ({
  ...typeFiles(),
  ...wireFiles(),
  ...markFiles(),
  ...wordFiles(),
  ...kindFiles(),
  ...recordNameFiles(),
});

if (require.main === module) writeFiles(codeFiles());
