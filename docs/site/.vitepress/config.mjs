/** VitePress builds the site from the documents of the repository, at the same paths (`npm run docs`). */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Returns the sidebar: the sections of docs/README.md with their links. */
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
  // All links are relative to the source files, and a missing page fails the build.
  ignoreDeadLinks: false,
  lastUpdated: false,
  themeConfig: {
    nav: [
      { text: 'Overview', link: '/README' },
      { text: 'Documentation', link: '/docs/README' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    // The index is part of the site, so the search works offline.
    search: { provider: 'local' },
  },
};
