/** `npm run docs` builds a searchable documentation site and checks its links and its search. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join, posix, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

import { runCommand } from './command';
import { withLock } from './lock';
import { installPackages } from './packages';
import { dataFolder, root } from './paths';
import { freePort, isFree } from './ports';

const source = join(root, 'docs', 'site');
const siteFolder = join(dataFolder, 'site');
const html = join(siteFolder, 'html');
const toolsFolder = join(siteFolder, 'tools');
const vitepress = join(toolsFolder, 'node_modules', 'vitepress', 'bin', 'vitepress.js');

/** Files outside docs/ that pages link to. */
const LINKED = ['examples', 'host/deploy/docker-compose.yml', 'interface/openapi.yaml'];
export const FIRST_PAGE = 'README.html';
const SEARCH_INDEX = /^@localSearchIndexroot\..*\.js$/;
const USUAL_PORT = 4011;
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

type Say = (message: string) => void;

async function install(say: Say): Promise<void> {
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

function siteFiles(): string[] {
  return readdirSync(html, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(html, join(entry.parentPath, entry.name)).replace(/\\/g, '/'));
}

interface Search {
  fields: string[];
  processTerm: (term: string) => string | null;
  searchOptions: object;
  /** Searches in users' words, each with the beginning of its first result. */
  searches: Array<[search: string, result: string]>;
}

interface Index {
  search: (words: string) => Array<{ id: string }>;
}

/** Runs searches in the built index. Returns the searches with a wrong first result. */
async function wrongSearches(indexFile: string): Promise<string[]> {
  const load = async (url: string) => (await import(url)) as unknown;
  const { searches, ...options } = (await load(pathToFileURL(join(source, '.vitepress', 'search.mjs')).href)) as Search;
  const script = encodeURIComponent(readFileSync(join(html, indexFile), 'utf8'));
  const { default: content } = (await load(`data:text/javascript,${script}`)) as { default: string };
  const engine = createRequire(join(toolsFolder, 'package.json'))('minisearch') as {
    loadJSON: (text: string, options: object) => Index;
  };
  const index = engine.loadJSON(content, options);
  return searches.flatMap(([words, result]) => {
    const first = index.search(words)[0]?.id ?? 'nothing';
    return first.startsWith(result) ? [] : [`The search "${words}" finds ${first} instead of ${result}.`];
  });
}

async function check(): Promise<{ pages: number; problems: string[] }> {
  const files = siteFiles();
  const pages = files.filter((path) => path.endsWith('.html'));
  const known = new Set(files);
  const broken = pages.flatMap((path) =>
    brokenLinks(path, readFileSync(join(html, path), 'utf8'), (target) => known.has(target)),
  );
  const index = files.find((path) => SEARCH_INDEX.test(posix.basename(path)));
  const searches = index === undefined ? ['The site has no search index.'] : await wrongSearches(index);
  return { pages: pages.length, problems: [...broken, ...searches] };
}

/**
 * Builds the site. Returns the number of its pages.
 * @throws Error for a broken link or a search with a wrong first result.
 */
export async function buildSite(say: Say): Promise<number> {
  await install(say);
  await build();
  const { pages, problems } = await check();
  if (problems.length > 0) throw new Error(`Problems of the documentation:\n${problems.join('\n')}`);
  return pages;
}

/** Returns another port if the usual port is in use. */
export const sitePort = async (): Promise<number> => ((await isFree(USUAL_PORT)) ? USUAL_PORT : await freePort());

export const siteUrl = (port: number): string => `http://127.0.0.1:${port}/`;

/** Serves the built site on loopback. */
export async function serveSite(port: number): Promise<{ url: string; stop: () => Promise<void> }> {
  const known = new Map(siteFiles().map((path) => [`/${encodeURI(path)}`, path]));
  const server = createServer(({ url = '/' }, response) => {
    const [path = ''] = url.split(/[?#]/);
    const found = known.get(path === '/' ? '/index.html' : path) ?? known.get(`${path}.html`);
    const file = found ?? '404.html';
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' });
    response.end(readFileSync(join(html, file)));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: siteUrl(port), stop };
}

async function main([command]: string[]): Promise<void> {
  const say = (message: string) => console.log(message);
  const pages = await buildSite(say);
  say(`Built ${pages} pages in ${html}. All links and searches are correct.`);
  if (command !== 'preview') return;
  const { url } = await serveSite(await sitePort());
  say(`The documentation is at ${url}. Press Ctrl-C to stop.`);
}

if (require.main === module)
  main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
