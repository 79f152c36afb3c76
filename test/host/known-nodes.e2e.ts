import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { major, version } from '../e2e/host';
import { installedModules, readInstalled, readRecorded } from './known-nodes';
import { TESTED_UTILS } from './node-panel';

describe(`The node search of ${version}`, () => {
  let modules: string;
  beforeAll(async () => {
    modules = await installedModules(major);
  });

  test('finds the recorded nodes', () => {
    expect(readRecorded(major)).toEqual(readInstalled(modules));
  });

  test('has the version that `npm test` uses', () => {
    const manifest = (utils: string) => JSON.parse(readFileSync(join(utils, 'package.json'), 'utf8')) as object;
    expect(manifest(TESTED_UTILS[major])).toEqual(manifest(join(modules, '@n8n', 'utils')));
  });
});
