/** Configuration of VitePress for `npm run docs`. The site keeps the paths of the documents in the repository. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Builds the sidebar from the sections and links of docs/README.md. */
function sidebar() {
  const sections = readFileSync(join(root, 'docs/README.md'), 'utf8').split(/^## /m).slice(1);
  return sections.map((section) => ({
    text: section.split('\n')[0],
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
  // Fails the build if a document links to a missing page.
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
    search: { provider: 'local' },
  },
};
