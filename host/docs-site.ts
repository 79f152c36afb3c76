/** `npm run docs` builds a searchable documentation site. `npm run docs -- preview` serves it on this computer. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';

import { runCommand } from './command';
import { withLock } from './lock';
import { installPackages } from './packages';
import { dataFolder, root } from './paths';

const source = join(root, 'docs', 'site');
const siteFolder = join(dataFolder, 'site');
const html = join(siteFolder, 'html');
const toolsFolder = join(siteFolder, 'tools');
const vitepress = join(toolsFolder, 'node_modules', 'vitepress', 'bin', 'vitepress.js');

/** Files outside docs/ that pages link to. */
const LINKED = ['examples', 'host/deploy/docker-compose.yml', 'interface/openapi.yaml'];
const FIRST_PAGE = 'README.html';
const SEARCH_INDEX = /^@localSearchIndexroot\..*\.js$/;

const say = (message: string) => console.log(message);

async function install(): Promise<void> {
  mkdirSync(siteFolder, { recursive: true });
  const announcement = 'Installing VitePress (about 20 seconds, once) ...';
  await withLock(toolsFolder, say, async () => {
    await installPackages({ name: 'vitepress', source, folder: toolsFolder, announcement }, say);
  });
}

async function build(): Promise<void> {
  await runCommand('docs', { file: process.execPath, args: [vitepress, 'build', source] });
  for (const path of LINKED) cpSync(join(root, path), join(html, path), { recursive: true });
  writeFileSync(join(html, 'index.html'), `<meta http-equiv="refresh" content="0; url=${FIRST_PAGE}">\n`);
}

export function brokenLinks(page: string, text: string, exists: (path: string) => boolean): string[] {
  const links = [...text.matchAll(/\b(?:href|src)="([^"#?]+)[^"]*"/g)].map(([, link = '']) => link);
  const local = links.filter((link) => !/^[a-z]+:|^\/\//i.test(link));
  const inFolder = (link: string) => (link.endsWith('/') ? `${link}index.html` : link);
  const target = (link: string) =>
    link.startsWith('/') ? inFolder(link).slice(1) : posix.join(posix.dirname(page), inFolder(link));
  return [...new Set(local.filter((link) => !exists(decodeURI(target(link)))))].map((link) => `${page}: ${link}`);
}

function check(): { pages: number; problems: string[] } {
  const files = readdirSync(html, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(html, join(entry.parentPath, entry.name)).replace(/\\/g, '/'));
  const pages = files.filter((path) => path.endsWith('.html'));
  const known = new Set(files);
  const broken = pages.flatMap((path) =>
    brokenLinks(path, readFileSync(join(html, path), 'utf8'), (target) => known.has(target)),
  );
  const hasSearch = files.some((path) => SEARCH_INDEX.test(posix.basename(path)));
  return { pages: pages.length, problems: [...broken, ...(hasSearch ? [] : ['The site has no search index.'])] };
}

async function main([command]: string[]): Promise<void> {
  await install();
  if (command !== 'preview') {
    await build();
    const { pages, problems } = check();
    if (problems.length > 0) throw new Error(`Broken links:\n${problems.join('\n')}`);
    return say(`Built ${pages} pages without broken links in ${html}. "npm run docs -- preview" serves them.`);
  }
  if (!existsSync(html)) throw new Error('Run "npm run docs" first.');
  spawn(process.execPath, [vitepress, 'preview', source], { cwd: root, stdio: 'inherit' });
}

if (require.main === module)
  main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
