/** Whether `npm run test:deep` is running, which tests more cases than `npm test`. */
export const isDeep = process.env.TEST_DEEP === 'yes';

/** Returns the number of cases to test: `few` in `npm test`, `many` in `npm run test:deep`. */
export const quantity = (few: number, many: number): number => (isDeep ? many : few);
