import { posix } from 'node:path';

import { parse } from 'yaml';

/** Possible targets of citations. */
export interface Citable {
  paths: ReadonlySet<string>;
  /**
   * Returns the headings of a document as GitHub links them, or the operations and schemas of the interface's
   * description.
   */
  marksOf: (path: string) => ReadonlySet<string>;
}

export const INTERFACE = 'interface/openapi.yaml';

const ADDRESS = /\bhttps?:\/\/\S+/g;
/** A line break within a sentence of a comment. */
const NEXT_LINE = /\n[ \t]*(?:\*(?!\/)|\/\/|#)?[ \t]*/g;
const DOCUMENT = /(?<![\w./-])((?:\.{0,2}\/)?(?:[\w.-]+\/)*[\w-]+\.(?:md|yaml))(?:#([\w-]+))?(?![\w-])/g;
/** A link to a page of the repository or to a heading. */
const LINK = /\]\((?!\w+:)([^)#\s]*)(?:#([\w-]+))?\)/g;
/** Section numbers aren't allowed, because they don't identify a document. */
const SECTION = /(?:\bsections? |§ ?)\d+(?:\.\d+)*/gi;
/** A module by its name or the end of its path. n8n's own modules end with .js. */
const MODULE = /(?<![\w./*<>{}-])((?:[\w-]+\/)*[\w.-]+\.ts)\b/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g;
const FILE_OR_FOLDER = /`((?:[\w.-]+\/)+[\w.-]*)`/g;

/**
 * Returns the broken citations of a text: missing documents, headings, operations and schemas, numbered sections,
 * missing modules in comments and documents, and missing folders in documents.
 * @param path path of the file with the text. The text may cite a page relative to this path, relative to the root, or
 *   by its name in docs/.
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

/** Resolves a link from the folder of its document, as browsers do. */
function isLinked(path: string, target: string, mark: string | undefined, { paths, marksOf }: Citable): boolean {
  const linked = target === '' ? path : posix.join(posix.dirname(path), target);
  const isThere = paths.has(linked) || [...paths].some((known) => known.startsWith(linked.replace(/\/?$/, '/')));
  return isThere && (mark === undefined || marksOf(linked).has(mark));
}

const endsAPath = (cited: string, { paths }: Citable) =>
  [...paths].some((path) => path === cited || path.endsWith(`/${cited}`));

/** Checks a path from the root. A path that begins with an unknown name is outside this repository. */
function isThere(cited: string, { paths }: Citable): boolean {
  const all = [...paths];
  const [top] = cited.split('/');
  if (!all.some((path) => path.startsWith(`${String(top)}/`))) return true;
  return paths.has(cited) || all.some((path) => path.startsWith(cited.endsWith('/') ? cited : `${cited}/`));
}

/** Returns the headings of a document as GitHub's anchors. */
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

/** Returns operations, schemas and other named parts of the interface's YAML description. */
export function namedParts(description: string): Set<string> {
  const { paths, webhooks, components } = parse(description) as Description;
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((methods) => Object.values(methods));
  return new Set([
    ...operations.flatMap(({ operationId }) => operationId ?? []),
    ...Object.values(components).flatMap((parts) => Object.keys(parts)),
  ]);
}
