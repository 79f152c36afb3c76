import { versionOf } from '../../host/install';
import { findRaises, namingFiles, newestOf, nextCommands, raisedTexts, type Registry } from '../../host/raise-n8n';

const VERSIONS = ['1.9.0', '1.90.81', '1.90.9', '1.91.0-beta.1', '2.9.9', '2.42.0', '2.42.10', '2.42.9', '3.0.0'];
const registry: Registry = {
  versions: () => VERSIONS,
  dependencies: (version): Record<string, string> =>
    version.startsWith('1.')
      ? { '@n8n/utils': '1.20.2' }
      : { 'n8n-core': version, 'n8n-workflow': '2.42.8', '@n8n/utils': '1.48.0' },
};
const manifest = (core: string, workflow: string, utils = '1.20.2') =>
  JSON.stringify({
    devDependencies: {
      'n8n-core': core,
      'n8n-workflow': workflow,
      '@n8n/utils': '1.48.0',
      'n8n-1-utils': `npm:@n8n/utils@${utils}`,
    },
  });
const current = (major: 1 | 2) => ({ 1: '1.90.81', 2: '2.7.1' })[major];

test('the newest version of a major version is the highest number without a suffix', () => {
  expect(newestOf(2, VERSIONS)).toBe('2.42.10');
  expect(newestOf(1, VERSIONS)).toBe('1.90.81');
  expect(() => newestOf(1, ['2.0.0'])).toThrow('The registry lists no version of n8n 1.');
});

test("upgrading n8n updates older versions and sets n8n's packages to the versions n8n requires", () => {
  const raises = findRaises(registry, manifest('2.7.1', '2.7.0', '1.20.1'), current);
  expect(raises).toEqual([
    { package: 'n8n', major: 2, from: '2.7.1', to: '2.42.10' },
    { package: 'n8n-core', major: 2, from: '2.7.1', to: '2.42.10' },
    { package: 'n8n-workflow', major: 2, from: '2.7.0', to: '2.42.8' },
    { package: 'n8n-1-utils', major: 1, from: '1.20.1', to: '1.20.2' },
  ]);
  expect(nextCommands(raises)).toEqual([
    'npm run lock -- host',
    'npm run lock -- .',
    'npm run record-nodes',
    '.ci/run',
  ]);
});

test('upgrading n8n changes nothing if the repository is up to date', () => {
  const newest = (major: 1 | 2) => ({ 1: '1.90.81', 2: '2.42.10' })[major];
  expect(findRaises(registry, manifest('2.42.10', '2.42.8'), newest)).toEqual([]);
});

test('upgrading n8n replaces only full version numbers and only the newest changelog entry', () => {
  const raises = findRaises(registry, manifest('2.7.1', '2.7.0'), current);
  const text = 'n8n 2.7.1, n8n:2.7.1 and 12.7.1, 2.7.10, 2.7.1.5, 2.7.0.';
  const changed = 'n8n 2.42.10, n8n:2.42.10 and 12.7.1, 2.7.10, 2.7.1.5, 2.7.0.';
  expect(
    raisedTexts(
      { 'README.md': text, '.github/SECURITY.md': 'n8n 2', 'CHANGELOG.md': '## 2\n2.7.1\n## 1\n2.7.1\n' },
      raises,
    ),
  ).toEqual({
    'README.md': changed,
    'CHANGELOG.md': '## 2\n2.42.10\n## 1\n2.7.1\n',
  });
});

test('upgrading n8n changes the manifest, documents and image, and no file keeps an old version', () => {
  const texts = namingFiles();
  const stub: Registry = {
    versions: () => ['1.200.0', '2.100.0'],
    dependencies: () => ({ 'n8n-core': '2.100.1', 'n8n-workflow': '2.100.2', '@n8n/utils': '1.100.0' }),
  };
  const changed = raisedTexts(texts, findRaises(stub, texts['package.json'] ?? ''));
  expect(changed['package.json']).toMatch(/"n8n-core": "2\.100\.1",\n {4}"n8n-workflow": "2\.100\.2"/);
  expect(changed['package.json']).toContain('"@n8n/utils": "1.100.0"');
  expect(changed['package.json']).toContain('"n8n-1-utils": "npm:@n8n/utils@1.100.0"');
  expect(changed['host/package.json']).toContain('"n8n": "2.100.0"');
  expect(changed['host/n8n-1.123/package.json']).toContain('"n8n": "1.200.0"');
  expect(changed['host/deploy/Dockerfile']).toContain('n8nio/n8n:2.100.0\n');
  expect(changed['docs/reference/n8n.md']).toContain('**1.200.0**');
  const after = { ...texts, ...changed };
  const isOld = (text: string) => [1, 2].some((major) => text.includes(`n8n ${versionOf(major as 1 | 2)}`));
  expect(Object.keys(after).filter((path) => isOld(after[path] ?? ''))).toEqual([]);
});
