/**
 * Compiles TypeScript and ES modules to CommonJS with Sucrase, which takes a tenth of the compiler's time. Types are not
 * checked: `npm run typecheck` checks them. Lines stay the same, so errors need no source map. Exports stay writable, so
 * tests can replace a function of a module.
 */
const { transform } = require('sucrase');

exports.process = (source, filePath) => {
  const transforms = filePath.endsWith('.ts') ? ['typescript', 'imports', 'jest'] : ['imports'];
  return { code: transform(source, { transforms, filePath, disableESTransforms: true }).code };
};
