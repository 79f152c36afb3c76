import { hash } from 'node:crypto';

/** Hash of a forbidden word, so that the repository doesn't contain the word. */
interface Unspoken {
  length: number;
  digest: string;
}

/** @param words lowercase words separated by single spaces. */
export const unspoken = (words: string): Unspoken => ({ length: words.length, digest: digestOf(words) });

const digestOf = (words: string) => hash('sha256', words).slice(0, 16);

/** Names of the service's operator and of the repository's origin. */
export const UNSPOKEN: Unspoken[] = [
  { length: 7, digest: '159207e83cf58c02' },
  { length: 9, digest: 'c70eca6b0f88f44d' },
  { length: 6, digest: 'c857d09db23e6822' },
  { length: 15, digest: 'b4d37d9491addd7f' },
  { length: 16, digest: '48207d2d39715bf2' },
  { length: 12, digest: '43b18044d9ed67ff' },
  { length: 9, digest: 'ec3f4a4cd18a80ef' },
];

const MACHINE_PATH =
  /(?<![\w.~)}-])\/(?:home\/(?!node\b)|root\/|Users\/|work\/|tmp\/|mnt\/|var\/folders\/)[\w.-]+|\b[A-Z]:\\Users\\/g;
const ISSUE_NUMBER = /\bissue #?\d+/gi;
const HOST = /\bhttps?:\/\/([\w.-]+\.[a-z]\w*)/gi;
const REGISTRY = /\b(?:registry|npm|mirror|artifactory|nexus)\.[\w-]+\.[a-z]{2,}/gi;
/** Domains that standards reserve for examples and tests. */
const NOBODYS = /(^|\.)(?:example|internal|invalid|localhost|test|example\.(?:com|org|net))$|^x\.com$/i;
const CITED = new Set([
  'docs.n8n.io',
  'docs.renovatebot.com',
  'github.com',
  'json.schemastore.org',
  'keepachangelog.com',
  'semver.org',
  'www.npmjs.com',
  'www.w3.org',
]);

/** Returns forbidden content in a text, such as the name of the service's operator or an uncited host. */
export function indiscretions(text: string, words: Unspoken[] = UNSPOKEN): string[] {
  const hosts = [...text.matchAll(HOST)]
    .map(([, host = '']) => host.toLowerCase())
    .filter((host) => !NOBODYS.test(host) && !CITED.has(host));
  const plain = [MACHINE_PATH, ISSUE_NUMBER, REGISTRY].flatMap((pattern) => text.match(pattern) ?? []);
  return [...plain, ...hosts, ...unspokenIn(text, words)];
}

/** Checks the beginning of each word, including words within camelCase names. */
function unspokenIn(text: string, words: Unspoken[]): string[] {
  const spaced = text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, ' ');
  const starts = [...spaced.matchAll(/\b\w/g)].map(({ index }) => index);
  return [...new Set(words.map(({ length }) => length))].flatMap((length) => {
    const digests = new Set(words.filter((one) => one.length === length).map(({ digest }) => digest));
    const pieces = new Set(starts.map((start) => spaced.slice(start, start + length)));
    return [...pieces].filter((piece) => digests.has(digestOf(piece)));
  });
}
