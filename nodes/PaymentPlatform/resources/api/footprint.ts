import type { WriteValues, Footprint } from '../../model/footprint';
import { comparableText } from '../../shared/objects';
import { safePath } from './path';

const pathOf = ({ node }: WriteValues) => safePath(node?.lookUpPath, []) ?? '';

/** Looks at the path that the user entered. A record is proof only if none existed there before the request. */
export const requestFootprint: Footprint = {
  list: { path: '', pathOf, identity: '' },
  filter: () => [],
  isIdentifiable: ({ node = {} }) =>
    comparableText(node.lookUpPath) !== '' && (node.method === 'POST' || node.method === 'PUT'),
  key: pathOf,
  lifetime: 'minutes',
  compare: () => [],
  where: 'the path of "Look Up With GET"',
  agreement: 'a record exists at the path',
};
