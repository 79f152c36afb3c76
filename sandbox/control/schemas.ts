/** JSON schemas of the control requests. A misspelled control fails validation. */

export const environment = { type: 'string', enum: ['test', 'production'] } as const;

const pattern = {
  environment,
  method: { type: 'string' },
  operationId: { type: 'string' },
  path: { type: 'string' },
} as const;

export function object(properties: object, required: readonly string[] = []) {
  return { type: 'object', properties, required, additionalProperties: false };
}

export const ENVIRONMENT_QUERY = object({ environment });

export const LONG_IDS_BODY = object({ environment, on: { type: 'boolean' } }, ['on']);

export const JOURNAL_QUERY = object({
  environment,
  operationId: { type: 'string' },
  after: { type: 'integer', minimum: 0 },
});

export const LATENCY_BODY = object({ ...pattern, milliseconds: { type: 'integer', minimum: 0 } }, ['milliseconds']);

export const FAULT_BODY = object(
  {
    ...pattern,
    kind: {
      type: 'string',
      enum: [
        'status',
        'reset_before_apply',
        'reset_after_apply',
        'timeout',
        'drip',
        'truncated_json',
        'html_error_page',
        'rate_limited',
      ],
    },
    calls: {
      oneOf: [
        { const: 'all' },
        { type: 'array', items: { type: 'integer', minimum: 1 } },
        object({ from: { type: 'integer', minimum: 1 }, to: { type: 'integer', minimum: 1 } }, ['from']),
      ],
    },
    applied: { type: 'boolean' },
    status: { type: 'integer', minimum: 200, maximum: 599 },
    body: {},
    code: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    message: { type: 'string' },
    retryAfterSeconds: { type: 'integer', minimum: 0 },
    retryAfterAsDate: { type: 'boolean' },
    holdMilliseconds: { type: 'integer', minimum: 0 },
  },
  ['kind'],
);

export const RATE_LIMIT_BODY = object({ perSecond: { type: ['integer', 'null'], minimum: 1 } }, ['perSecond']);

export const LIST_LAG_BODY = object({ milliseconds: { type: 'integer', minimum: 0 } }, ['milliseconds']);

export const CLOCK_BODY = object(
  Object.fromEntries(
    ['weeks', 'days', 'hours', 'minutes', 'seconds', 'milliseconds', 'months', 'years'].map((unit) => [
      unit,
      { type: 'number', minimum: 0 },
    ]),
  ),
);

export const ENVIRONMENT_BODY = object({ environment });

export const CUSTOMERS_BODY = object({ environment, count: { type: 'integer', minimum: 1, maximum: 100_000 } }, [
  'count',
]);

export const SALES_BODY = object(
  {
    environment,
    count: { type: 'integer', minimum: 1, maximum: 100_000 },
    amountCents: { type: 'integer', minimum: 0 },
    customer_id: { type: 'string' },
    authorizeOnly: { type: 'boolean' },
  },
  ['count', 'amountCents'],
);

export const RESET_BODY = object({ seed: { type: 'boolean' } });
