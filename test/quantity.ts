/** Whether `npm run test:deep` is running, which uses many cases for rules that `npm test` checks with a few. */
export const isDeep = process.env.TEST_DEEP === 'yes';

/** Returns the number of cases of a test: `few` in `npm test`, `many` in `npm run test:deep`. */
export const quantity = (few: number, many: number): number => (isDeep ? many : few);
