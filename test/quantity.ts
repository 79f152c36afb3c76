/** Whether `npm run test:deep` is running. */
export const isDeep = process.env.TEST_PROJECT === 'deep';

/** Returns the number of test cases: `few` in `npm test`, `many` in `npm run test:deep`. */
export const quantity = (few: number, many: number): number => (isDeep ? many : few);
