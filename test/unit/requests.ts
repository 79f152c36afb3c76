import type { Account, MoneyRequest, Operation } from '../../nodes/PaymentPlatform/model/types';

export const account: Account = {
  environment: 'test',
  baseUrl: 'https://pay.example.com/v1',
  merchantId: '1',
  digestKey: 'key',
};

/** Returns a write operation with default properties, which `more` overrides. */
export const operationOf = (more: Partial<Operation>): Operation => ({
  value: 'write',
  name: 'Write',
  action: 'Write',
  description: 'Writes',
  request: { method: 'POST', path: '/platform/invoice', family: 'platform', effect: 'writesOnce' },
  fields: [],
  ...more,
});

interface Parts {
  operation?: Operation;
  money?: Operation['money'];
  method?: MoneyRequest['method'];
  path?: string;
  effect?: MoneyRequest['effect'];
  query?: object;
  body?: object;
  node?: object;
}

export const moneyRequest = ({ query, body, node, money, ...more }: Parts): MoneyRequest => ({
  operation: operationOf({ money }),
  values: { path: {}, query: { ...query }, body: { ...body }, node: { ...node } },
  method: 'POST',
  path: '/platform/invoice',
  effect: 'writesOnce',
  ...more,
});
