import { posix } from 'node:path';

import { parse } from 'yaml';

/** Files and headings that a citation can refer to. */
export interface Citable {
  paths: ReadonlySet<string>;
  /** Returns the heading anchors of a document, or the operations and schemas of the interface description. */
  marksOf: (path: string) => ReadonlySet<string>;
}

export const INTERFACE = 'interface/openapi.yaml';

const ADDRESS = /\bhttps?:\/\/\S+/g;
/** Line break within a text, with the indentation and comment marker of the next line. */
const NEXT_LINE = /\n[ \t]*(?:\*(?!\/)|\/\/|#)?[ \t]*/g;
const DOCUMENT = /(?<![\w./-])((?:\.{0,2}\/)?(?:[\w.-]+\/)*[\w-]+\.(?:md|yaml))(?:#([\w-]+))?(?![\w-])/g;
const LINK = /\]\((?!\w+:)([^)#\s]*)(?:#([\w-]+))?\)/g;
/** Reference to a section by number, which doesn't identify a document. */
const SECTION = /(?:\bsections? |§ ?)\d+(?:\.\d+)*/gi;
const MODULE = /(?<![\w./*<>{}-])((?:[\w-]+\/)*[\w.-]+\.ts)\b/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g;
const FILE_OR_FOLDER = /`((?:[\w.-]+\/)+[\w.-]*)`/g;

/**
 * Returns the broken citations in a text.
 * @param path path of the file that contains the text.
 */
export function brokenCitations(path: string, text: string, citable: Citable): string[] {
  const isDocument = path.endsWith('.md');
  const line = inOneLine(text);
  const words = isDocument ? line : inOneLine((text.match(COMMENT) ?? []).join('\n'));
  return [
    ...found(line, DOCUMENT, ([, cited = '', mark]) => leadsTo(path, cited, mark, citable)),
    ...found(line, SECTION, () => false),
    ...found(words, MODULE, ([, cited = '']) => endsAPath(cited, citable)),
    ...(isDocument ? found(line, LINK, ([, target = '', mark]) => isLinked(path, target, mark, citable)) : []),
    ...(isDocument ? found(line, FILE_OR_FOLDER, ([, cited = '']) => isThere(cited, citable)) : []),
  ];
}

const inOneLine = (text: string) => text.replace(ADDRESS, ' ').replace(NEXT_LINE, ' ');

const found = (text: string, pattern: RegExp, isGood: (match: RegExpMatchArray) => boolean): string[] =>
  [...text.matchAll(pattern)].filter((match) => !isGood(match)).map(([words]) => words);

function leadsTo(path: string, cited: string, mark: string | undefined, { paths, marksOf }: Citable): boolean {
  const target = [
    posix.join(posix.dirname(path), cited),
    posix.normalize(cited),
    posix.join('interface', cited),
    ...[...paths].filter((known) => known.startsWith('docs/') && posix.basename(known) === cited),
  ].find((candidate) => paths.has(candidate));
  return target !== undefined && (mark === undefined || marksOf(target).has(mark));
}

/** Resolves a link relative to the folder of the document with the link. */
function isLinked(path: string, target: string, mark: string | undefined, { paths, marksOf }: Citable): boolean {
  const linked = target === '' ? path : posix.join(posix.dirname(path), target);
  const isThere = paths.has(linked) || [...paths].some((known) => known.startsWith(linked.replace(/\/?$/, '/')));
  return isThere && (mark === undefined || marksOf(linked).has(mark));
}

const endsAPath = (cited: string, { paths }: Citable) =>
  [...paths].some((path) => path === cited || path.endsWith(`/${cited}`));

/** A path with an unknown top folder is outside this repository. */
function isThere(cited: string, { paths }: Citable): boolean {
  const all = [...paths];
  const [top] = cited.split('/');
  if (!all.some((path) => path.startsWith(`${String(top)}/`))) return true;
  return paths.has(cited) || all.some((path) => path.startsWith(cited.endsWith('/') ? cited : `${cited}/`));
}

export function headings(document: string): Set<string> {
  const outsideOfCode = document.replace(/^```[\s\S]*?^```/gm, '');
  return new Set([...outsideOfCode.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchor(heading)));
}

const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replace(/ /g, '-');

interface Description {
  paths: Record<string, Record<string, { operationId?: string }>>;
  webhooks: Record<string, Record<string, { operationId?: string }>>;
  components: Record<string, object>;
}

export function namedParts(description: string): Set<string> {
  const { paths, webhooks, components } = parse(description) as Description;
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((methods) => Object.values(methods));
  return new Set([
    ...operations.flatMap(({ operationId }) => operationId ?? []),
    ...Object.values(components).flatMap((parts) => Object.keys(parts)),
  ]);
}
