import { posix } from 'node:path';

import { parse } from 'yaml';

/** What a citation can lead to. */
export interface Citable {
  paths: ReadonlySet<string>;
  /** Headings of a document as GitHub links them, or the operations and schemas of the interface's description. */
  marksOf: (path: string) => ReadonlySet<string>;
}

export const INTERFACE = 'interface/openapi.yaml';

const ADDRESS = /\bhttps?:\/\/\S+/g;
/** A sentence that goes on in the next line of a comment. */
const NEXT_LINE = /\n[ \t]*(?:\*(?!\/)|\/\/|#)?[ \t]*/g;
const DOCUMENT = /(?<![\w./-])((?:\.{0,2}\/)?(?:[\w.-]+\/)*[\w-]+\.(?:md|yaml))(?:#([\w-]+))?(?![\w-])/g;
/** A link of a document to a page of the repository, or to a heading. */
const LINK = /\]\((?!\w+:)([^)#\s]*)(?:#([\w-]+))?\)/g;
/** Nobody can follow the number of a section: its document is not named, or not here. */
const SECTION = /(?:\bsections? |§ ?)\d+(?:\.\d+)*/gi;
/** A module by its name or the end of its path; n8n's own are written with .js. */
const MODULE = /(?<![\w./*<>{}-])((?:[\w-]+\/)*[\w.-]+\.ts)\b/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g;
const FILE_OR_FOLDER = /`((?:[\w.-]+\/)+[\w.-]*)`/g;

/**
 * The citations of a text that lead nowhere: documents that are not in the repository, headings, operations and
 * schemas that are not in them, numbered sections, modules in comments and documents, and folders in documents.
 * @param path the file with the text. It may cite a page by its path from there or from the root, or by its name in docs/.
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

/** Browsers resolve a link from the folder of its document. */
function isLinked(path: string, target: string, mark: string | undefined, { paths, marksOf }: Citable): boolean {
  const linked = target === '' ? path : posix.join(posix.dirname(path), target);
  const isThere = paths.has(linked) || [...paths].some((known) => known.startsWith(linked.replace(/\/?$/, '/')));
  return isThere && (mark === undefined || marksOf(linked).has(mark));
}

const endsAPath = (cited: string, { paths }: Citable) =>
  [...paths].some((path) => path === cited || path.endsWith(`/${cited}`));

/** A path from the root; what begins with another name is no path of this repository. */
function isThere(cited: string, { paths }: Citable): boolean {
  const all = [...paths];
  const [top] = cited.split('/');
  if (!all.some((path) => path.startsWith(`${String(top)}/`))) return true;
  return paths.has(cited) || all.some((path) => path.startsWith(cited.endsWith('/') ? cited : `${cited}/`));
}

/** The headings of a document, as GitHub makes anchors of them. */
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

/** Operations, schemas and other named parts of the interface's description, which is YAML. */
export function namedParts(description: string): Set<string> {
  const { paths, webhooks, components } = parse(description) as Description;
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((methods) => Object.values(methods));
  return new Set([
    ...operations.flatMap(({ operationId }) => operationId ?? []),
    ...Object.values(components).flatMap((parts) => Object.keys(parts)),
  ]);
}
