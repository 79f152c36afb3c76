import { indiscretions, unspoken } from './neutral';
import { texts } from './repository';

test('no file names the operator of the service, a machine, a registry or the origin of the repository', () => {
  const said = texts.flatMap(({ path, text }) => indiscretions(text).map((what) => `${path}: ${what}`));
  expect(said).toEqual([]);
});

// Splits each text, so that the check doesn't find it here.
test.each([
  ['a path of a machine', '/wor', 'k/main'],
  ['a folder of a person', '/hom', 'e/ana'],
  ['the number of an issue', 'issue', ' 13'],
  ['the host of a registry', 'registry.npmj', 's.org'],
])('the check finds %s in a file', (_what, first, second) => {
  expect(indiscretions(`// See ${first}${second} for more.`)).toEqual([first + second]);
});

test('the check finds a host outside the list of cited hosts', () => {
  const address = ['https:/', 'packages.inside.io', 'simple'].join('/');
  expect(indiscretions(`${address} and https://docs.n8n.io, http://127.0.0.1:5678, https://pay.example.com`)).toEqual([
    'packages.inside.io',
  ]);
});

test.each(['x-acme-webhook-signature', 'the acmeClient', 'ACME_KEY', 'Acme', 'Acmes'])(
  'the check finds a forbidden name in %s',
  (text) => {
    expect(indiscretions(text, [unspoken('acme')])).toEqual(['acme']);
  },
);

test('the check finds a forbidden name only at the beginning of a word', () => {
  expect(indiscretions('placement', [unspoken('acme')])).toEqual([]);
});
