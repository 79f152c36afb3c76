import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../interface/generate/interface-document';
import { writeFiles, type Files } from '../../interface/generate/written';
import { codesPage } from './codes-page';
import { messagesPage } from './messages-page';
import { operationsPage } from './operations-page';
import { withOperationsTable } from './readme';
import { recordsPage } from './records-page';

/** Generates the reference pages of the declarations, and the README's table of operations. */
export const documentFiles = (): Files => ({
  'docs/reference/operations.md': operationsPage(),
  'docs/reference/codes.md': codesPage(),
  'docs/reference/messages.md': messagesPage(),
  'docs/reference/records.md': recordsPage(),
  'README.md': withOperationsTable(readFileSync(join(root, 'README.md'), 'utf8')),
});

if (require.main === module) writeFiles(documentFiles());
