/** Import rules for `npm run lint:layers`. A folder may import only from lower layers. */
const NODES = 'nodes/PaymentPlatform';
const SANDBOX = 'sandbox';

/** Layers of the node package, from bottom to top. Folders in one layer may not import each other. */
const nodeLayers = [
  ['wire'],
  ['shared'],
  ['fields'],
  ['model'],
  ['messages'],
  ['n8n'],
  ['service'],
  ['once'],
  ['lookup'],
  ['output'],
  ['limits'],
  ['panel', 'run'],
  ['resources', 'search', 'trigger'],
];
const sandboxLayers = [
  ['core'],
  ['contract'],
  ['state'],
  ['views'],
  ['rules'],
  ['calls'],
  ['webhooks'],
  ['operations'],
  ['seed', 'hosted'],
  ['control'],
  ['server'],
];

const folder = (root, names) => `^${root}/(${names.join('|')})/`;

const layered = (root, layers) =>
  layers.flatMap((row, height) =>
    row.map((name) => {
      const above = layers.slice(height + 1).flat();
      const forbidden = [...above, ...row.filter((other) => other !== name)];
      const below = layers.slice(0, height).flat();
      const comment = `${root}/${name} may import from ${[...below, 'itself'].join(', ')} only.`;
      const paths = [`^${root}/[^/]+$`, ...(forbidden.length > 0 ? [folder(root, forbidden)] : [])];
      return {
        name: `${root}/${name}`,
        comment,
        severity: 'error',
        from: { path: folder(root, [name]) },
        to: { path: paths },
      };
    }),
  );

const placed = (root, layers) => ({
  name: `${root}: every folder has its layer`,
  comment: 'Give the folder its place in .ci/layers.mjs.',
  severity: 'error',
  from: { path: `^${root}/(?!(${layers.flat().join('|')})/)[^/]+/.+[.]ts$` },
  to: {},
});

const GENERATORS = 'interface/generate';
const PARTS = ['nodes', 'credentials', 'sandbox', 'host', 'docs', 'bench', 'test', 'examples', GENERATORS];
const reaches = {
  nodes: [],
  credentials: [],
  sandbox: [],
  host: ['sandbox', 'examples'],
  docs: ['nodes', 'credentials', GENERATORS],
  interface: [],
  [GENERATORS]: ['nodes'],
};

const apart = Object.entries(reaches).map(([part, allowed]) => ({
  name: `${part} stands apart`,
  comment: `${part}/ may import from ${[...allowed, 'interface', 'itself'].join(', ')} only.`,
  severity: 'error',
  from: { path: `^${part}/`, ...(part === 'interface' && { pathNot: `^${GENERATORS}/` }) },
  to: { path: `^(${PARTS.filter((other) => other !== part && !allowed.includes(other)).join('|')})/` },
}));

export default {
  forbidden: [
    {
      name: 'no cycles',
      comment: 'Two files that need each other are one, or there is a third that both need.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'nothing imports what is not there',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'one retry loop',
      comment: 'Only service/send sends a request more than once.',
      severity: 'error',
      from: { path: `^${NODES}/`, pathNot: `^${NODES}/service/(send|look-up)[.]ts$` },
      to: { path: `^${NODES}/service/retry-rules[.]ts$`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'tests without a real n8n',
      comment: 'Code that starts n8n is in test/e2e and test/browser. `npm test` starts n8n only in test/host.',
      severity: 'error',
      from: { path: '^test/(?!e2e/|host/|browser/)' },
      to: { path: '^test/(e2e|host)/' },
    },
    {
      name: 'declarations know no mechanism',
      comment: 'An operation is declared with fields, model, messages and the facts of the interface alone.',
      severity: 'error',
      from: { path: `^${NODES}/resources/` },
      to: { path: folder(NODES, ['n8n', 'service', 'limits', 'once', 'lookup', 'output', 'panel', 'run']) },
    },
    ...apart,
    placed(NODES, nodeLayers),
    ...layered(NODES, nodeLayers),
    placed(SANDBOX, sandboxLayers),
    ...layered(SANDBOX, sandboxLayers),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default', 'types'] },
    exclude: { path: '(^|/)(node_modules|dist|[.]data|coverage)/' },
  },
};
