import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';

/** Operation that moves money, with parameters whose expressions read an input row. */
export interface MoneyOperation {
  operationId: string;
  parameters: IDataObject;
  toolParameters?: IDataObject;
  /** Creates service records for `count` payments, and returns one input row per payment. */
  rows: (control: Sandbox['control'], count: number) => Promise<IDataObject[]>;
}

export const amountOf = (row: number): number => 4 + row / 4;
const SALE_CENTS = 1000;

const onSale = (
  operationId: string,
  parameters: IDataObject,
  state: 'authorized' | 'captured' | 'settled',
): MoneyOperation => ({
  operationId,
  parameters: {
    resource: 'transaction',
    pg_id: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
    ...parameters,
  },
  rows: async (control, count) => {
    const authorizeOnly = state === 'authorized';
    const ids = control.addCapturedSales({ count, amountCents: SALE_CENTS, authorizeOnly });
    if (state === 'settled') {
      control.closeBatch();
      control.sendDeposits();
    }
    return await Promise.resolve(ids.map((id, row) => ({ id, amount: amountOf(row), row })));
  },
});

const rowsWith =
  (fields: (state: ReturnType<Sandbox['control']['state']>) => IDataObject): MoneyOperation['rows'] =>
  async (control, count) => {
    const shared = fields(control.state());
    return await Promise.resolve(
      Array.from({ length: count }, (_, row) => ({ ...shared, amount: amountOf(row), row })),
    );
  };

const onCustomer = (operationId: string, operation: string, more: IDataObject = {}): MoneyOperation => ({
  operationId,
  parameters: {
    resource: 'transaction',
    operation,
    customer_id: { __rl: true, mode: 'id', value: '={{ $json.customer }}' },
    amt_tran: '={{ $json.amount }}',
    ...more,
  },
  rows: rowsWith(({ customers }) => ({ customer: customers[0]?.customer_id })),
});

/** Operations on settled sales come first, because preparing the sales closes the batch. */
export const MONEY_OPERATIONS: MoneyOperation[] = [
  onSale('refund', { operation: 'refund', amt_tran: '={{ $json.amount }}' }, 'settled'),
  onSale('recharge', { operation: 'recharge', amt_tran: '={{ $json.amount }}' }, 'settled'),
  onSale('capture', { operation: 'capture', amt_tran: '={{ $json.amount }}' }, 'authorized'),
  {
    ...onSale('voidTransaction', { operation: 'void' }, 'captured'),
    toolParameters: { expectedAmount: SALE_CENTS / 100 },
  },
  onCustomer('sale', 'sale'),
  onCustomer('authorize', 'authorize'),
  { ...onCustomer('credit', 'credit'), toolParameters: { allowAgent: true } },
  { ...onCustomer('force', 'force', { auth_code: 'T12345' }), toolParameters: { allowAgent: true } },
  {
    operationId: 'payPayee',
    parameters: {
      resource: 'transaction',
      operation: 'payout',
      payee_id: { __rl: true, mode: 'id', value: '={{ $json.payee }}' },
      amt_tran: '={{ $json.amount }}',
    },
    toolParameters: { allowAgent: true },
    rows: rowsWith(({ payees }) => ({ payee: payees[0]?.payee_id })),
  },
];
