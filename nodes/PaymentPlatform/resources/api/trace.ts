import type { Named, Trace } from '../../pipeline/trace';
import { written } from '../compared';
import { safePath } from './path';

/** The path that a person named, and that `shape` has checked. */
const pathOf = ({ node }: Named) => safePath(node?.lookUpPath, []) ?? '';

/**
 * What is at the path that a person names, where nothing was before. Of its kind nothing is known, so nothing else has to
 * agree.
 */
export const requestTrace: Trace = {
  list: { path: '', pathOf, identity: '' },
  filter: () => [],
  isTold: ({ node }) => written(node?.lookUpPath) !== '' && (node?.method === 'POST' || node?.method === 'PUT'),
  key: pathOf,
  tells: 'minutes',
  agrees: () => true,
  where: 'the path of "Look Up by a GET Request"',
  agreement: 'something is there',
};
