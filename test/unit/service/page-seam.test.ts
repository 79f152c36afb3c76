import { NO_SEAM, seamBetween } from '../../../nodes/PaymentPlatform/service/page-seam';

const page = (from: number, marks: string[], hasIds = true) => ({
  request: { number: 0, count: marks.length },
  marks,
  hasIds,
  end: from + marks.length,
  isFull: true,
});
const before = page(10, ['a', 'b', 'c', 'd']);
const of = (from: number, marks: string[], hasIds = true) => {
  const { repeats, ...seam } = seamBetween(before, page(from, marks, hasIds));
  return { ...seam, repeated: marks.filter((_, index) => repeats(index)) };
};

test('pages with a gap between them have no seam', () => {
  expect(of(15, ['a', 'b'])).toEqual({
    overlap: -1,
    isVerified: false,
    isUnmoved: false,
    hasMoved: false,
    repeated: [],
  });
  expect(NO_SEAM.repeats(0)).toBe(false);
});

test('adjacent pages verify each other only if they share a record', () => {
  expect(of(14, ['e', 'f'])).toEqual({
    overlap: 0,
    isVerified: false,
    isUnmoved: false,
    hasMoved: false,
    repeated: [],
  });
  expect(of(14, ['d', 'e'])).toEqual({ overlap: 0, isVerified: true, isUnmoved: false, hasMoved: false, repeated: [] });
  expect(of(14, ['d', 'e'], false)).toEqual({
    overlap: 0,
    isVerified: false,
    isUnmoved: false,
    hasMoved: false,
    repeated: [],
  });
});

test.each([true, false])(
  'pages that overlap as expected repeat the records of the overlap (with IDs: %s)',
  (hasIds) => {
    const unmoved = { isVerified: true, isUnmoved: true, hasMoved: false };
    expect(of(13, ['d', 'e'], hasIds)).toEqual({ ...unmoved, overlap: 1, repeated: ['d'] });
    expect(of(12, ['c', 'd', 'e', 'd'], hasIds)).toEqual({
      ...unmoved,
      overlap: 2,
      repeated: ['c', 'd'],
    });
    expect(of(11, ['b', 'c'], hasIds)).toEqual({ ...unmoved, overlap: 3, repeated: ['b', 'c'] });
    expect(of(9, ['x', 'a', 'b', 'c', 'd', 'e'], hasIds)).toMatchObject({ ...unmoved, overlap: 5 });
    expect(of(9, ['x', 'y', 'b', 'c', 'd', 'e'], hasIds).repeated).not.toContain('x');
  },
);

test('records with IDs that moved verify the pages if one is on both', () => {
  expect(of(12, ['b', 'c', 'd', 'e'])).toEqual({
    overlap: 2,
    isVerified: true,
    isUnmoved: false,
    hasMoved: false,
    repeated: ['b', 'c', 'd'],
  });
  expect(of(12, ['c', 'e'])).toMatchObject({ overlap: 2, isVerified: true, hasMoved: false });
  expect(of(12, ['e', 'f'])).toEqual({
    overlap: 2,
    isVerified: false,
    isUnmoved: false,
    hasMoved: false,
    repeated: [],
  });
  expect(of(12, [])).toMatchObject({ overlap: 2, isVerified: false });
});

test('records without IDs that moved verify nothing', () => {
  expect(of(12, ['b', 'c', 'd', 'e'], false)).toEqual({
    overlap: 2,
    isVerified: false,
    isUnmoved: false,
    hasMoved: true,
    repeated: ['b', 'c', 'd'],
  });
});
