const { Transform } = require('node:stream');
const { dest, parallel, src } = require('gulp');

/** Icons, codex files and output schemas, which keep their paths in dist/. */
const icons = 'icons/*.svg';
const json = ['nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'];

/** Removes white space, because only n8n reads the copies. */
const compact = () =>
  new Transform({
    objectMode: true,
    transform(file, _encoding, done) {
      file.contents = Buffer.from(JSON.stringify(JSON.parse(file.contents.toString())));
      done(null, file);
    },
  });

const copyIcons = () => src(icons, { base: '.', encoding: false }).pipe(dest('dist'));
const copyJson = () => src(json, { base: '.' }).pipe(compact()).pipe(dest('dist'));

/** Completes the build of host/package/build.ts: `gulp`. */
exports.default = parallel(copyIcons, copyJson);
