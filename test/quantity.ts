/** Whether this is `npm run test:deep`, which proves by quantity what `npm test` proves by a few cases. */
export const isDeep = process.env.TEST_DEEP === 'yes';

/** How much a test tries: `few` in `npm test`, `many` in `npm run test:deep`. */
export const quantity = (few: number, many: number): number => (isDeep ? many : few);
