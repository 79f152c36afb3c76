import { indiscretions, unspoken } from './neutral';
import { texts } from './repository';

test('no file names the operator of the service, a machine, a registry or the origin of the repository', () => {
  const said = texts.flatMap(({ path, text }) => indiscretions(text).map((what) => `${path}: ${what}`));
  expect(said).toEqual([]);
});

// Each text consists of two strings, because the check would otherwise report the forbidden text in this file.
test.each([
  ['a path of a machine', '/wor', 'k/main'],
  ['a folder of a person', '/hom', 'e/ana'],
  ['the number of an issue', 'issue', ' 13'],
  ['the host of a registry', 'registry.npmj', 's.org'],
])('finds %s in a file', (_what, first, second) => {
  expect(indiscretions(`// See ${first}${second} for more.`)).toEqual([first + second]);
});

test('a host outside the list of cited hosts is found', () => {
  const address = ['https:/', 'packages.inside.io', 'simple'].join('/');
  expect(indiscretions(`${address} and https://docs.n8n.io, http://127.0.0.1:5678, https://pay.example.com`)).toEqual([
    'packages.inside.io',
  ]);
});

test.each(['x-acme-webhook-signature', 'the acmeClient', 'ACME_KEY', 'Acme', 'Acmes'])(
  'a name with a known digest is found in %s',
  (text) => {
    expect(indiscretions(text, [unspoken('acme')])).toEqual(['acme']);
  },
);

test('a name is found only at the beginning of a word', () => {
  expect(indiscretions('placement', [unspoken('acme')])).toEqual([]);
});
