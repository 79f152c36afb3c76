/** VitePress configuration for `npm run docs`. Preserves the documents' repository paths. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { processTerm, searchOptions } from './search.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

function sidebar() {
  const sections = readFileSync(join(root, 'docs/README.md'), 'utf8').split(/^## /m).slice(1);
  return sections.map((section) => ({
    text: section.split('\n')[0],
    collapsed: section.startsWith('For developers'),
    items: [...section.matchAll(/^- \[(.+?)\]\((.+?)\.md\)/gm)].map(([, text, path]) => ({
      text,
      link: `/docs/${path}`,
    })),
  }));
}

export default {
  title: 'Payment Platform for n8n',
  lang: 'en-US',
  srcDir: root,
  srcExclude: ['node_modules/**', '.data/**', 'dist/**', '.github/**'],
  outDir: join(root, '.data/site/html'),
  cacheDir: join(root, '.data/site/cache'),
  ignoreDeadLinks: false,
  lastUpdated: false,
  themeConfig: {
    nav: [
      { text: 'Overview', link: '/README' },
      { text: 'Documentation', link: '/docs/README' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    // Includes the search index in the site, so that the search works offline.
    search: { provider: 'local', options: { miniSearch: { options: { processTerm }, searchOptions } } },
  },
};
