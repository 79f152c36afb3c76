import { brokenLinks } from '../../host/docs-site';

const exists = (path: string) => ['index.html', 'docs/a.html', 'docs/b/c.html', 'examples/x.json'].includes(path);
const linksTo = (link: string) => brokenLinks('docs/b/c.html', `<a href="${link}">x</a>`, exists);

test.each([
  '/',
  '../a.html',
  '/docs/a.html',
  '../a.html#part',
  '../../examples/x.json',
  'https://example.com/',
  '#part',
])('the check accepts the link %s to a file of the site or to another URL', (link) => {
  expect(linksTo(link)).toEqual([]);
});

test.each(['a.html', '/examples/y.json', '../../examples'])(
  'the check reports the link %s to a missing file',
  (link) => {
    expect(linksTo(link)).toEqual([`docs/b/c.html: ${link}`]);
  },
);
