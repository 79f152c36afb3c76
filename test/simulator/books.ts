import type { Environment } from '../../sandbox/state/environment';
import type { ObjectName, OperationName } from './schedule';
import type { Sent } from './sent';
import { MONEY, moneyFacts, SALE_CENTS, type MoneyName } from './money';
import { STEPS } from './split';

/** Both environments of the service. */
interface Service {
  environments: Record<'test' | 'production', Environment>;
}

/** Write that the service applied. */
export interface Booked {
  id: string;
  cents: number;
  environment: 'test' | 'production';
}

export function objectsOf({ environments: { test } }: Service): ObjectName[] {
  const sales = [...test.transactions.values()];
  const invoices = [...test.invoices.values()];
  return test.customers.map(({ customer_id, billing_cards }, index) => ({
    pgId: sales[index]?.pg_id ?? '',
    customer: customer_id,
    card: billing_cards[1]?.card_id,
    invoice: invoices[index]?.invoice_id ?? 0,
    order: sales[index]?.purchase_id,
  }));
}

/** Returns the writes that the service applied, to compare them with the node's results. */
export function booked(service: Service, operation: OperationName, object: ObjectName, step: number): Booked[] {
  const kind = operation === 'split' ? STEPS[step] : operation;
  return (['test', 'production'] as const).flatMap((environment) =>
    inOne(service.environments[environment], kind, object).map((entry) => ({ ...entry, environment })),
  );
}

function inOne(
  books: Environment,
  operation: Exclude<OperationName, 'split'> | undefined,
  { pgId, customer, invoice }: ObjectName,
) {
  const on = operation === 'api' ? 'sale' : moneyFacts(operation)?.on;
  if (on !== undefined)
    return [...books.transactions.values()]
      .filter(({ pg_id_linked, payer: { customer_id }, source, tran_status }) => {
        if (on === 'sale') return pg_id_linked === pgId;
        const isOf =
          on === 'customer' ? customer_id === customer : source === books.payees.get(customer)?.account?.source;
        return isOf && tran_status !== 'D';
      })
      .map(({ pg_id, requestedCents }) => ({ id: pg_id, cents: requestedCents }));
  switch (operation) {
    case 'invoice':
      return [...books.invoices.values()]
        .filter(({ invoice_id, details }) => details.customer_id === customer && invoice_id !== invoice)
        .map(({ invoice_id, subTotalCents }) => ({ id: String(invoice_id), cents: subTotalCents }));
    case 'payment':
      return books.payments
        .filter(({ invoice_id }) => invoice_id === invoice)
        .map(({ payment_id, paidCents }) => ({ id: String(payment_id), cents: paidCents }));
    case 'subscription':
      return [...books.subscriptions.values()]
        .filter(({ customer_id }) => customer_id === customer)
        .map(({ subscription_id, amountCents }) => ({ id: String(subscription_id), cents: amountCents }));
    case 'updater':
      return [...books.updaterRequests.values()].flatMap(({ request_id, cards }) =>
        cards.filter(({ card_id }) => card_id === customer).map(() => ({ id: String(request_id), cents: 0 })),
      );
    default:
      return [];
  }
}

export const ID_FIELDS: Record<OperationName, string> = {
  ...(Object.fromEntries(MONEY.map((name) => [name, 'pg_id'])) as Record<MoneyName, string>),
  api: 'pg_id',
  invoice: 'invoice_id',
  payment: 'payment_id',
  subscription: 'subscription_id',
  split: 'invoice_id',
  updater: 'request_id',
};

export function recordIdOf(operation: OperationName, step: number, body: Record<string, unknown>): string | undefined {
  const field = ID_FIELDS[(operation === 'split' && STEPS[step]) || operation];
  const id = ({ ...body, ...(body.data as object | undefined) } as Record<string, unknown>)[field];
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

type About = Pick<Sent, 'node' | 'objects' | 'step' | 'fee'> & { cents: number };

/** Returns the node, amount and step of a write, or undefined for a read. */
export function aboutWhat(
  operations: OperationName[],
  objects: ObjectName[],
  method: string,
  path: string,
  body: unknown,
): About | undefined {
  if (method === 'GET') return undefined;
  const node = operations.length === 1 ? 0 : operations.indexOf(operationAt(path));
  const operation = operations[node] ?? operations[0];
  const fields = (body ?? {}) as Record<string, unknown>;
  if (operation === 'updater') {
    const cards = fields.data as Array<{ card_id: string }>;
    const numbers = cards.map(({ card_id }) => objects.findIndex(({ customer }) => customer === card_id));
    return { node, objects: numbers, step: 0, cents: 0 };
  }
  const [, sale] = /^\/pg\/\w+\/([^/]+)$/.exec(path) ?? [];
  const [, invoice] = /^\/platform\/invoice\/(\d+)\/payments$/.exec(path) ?? [];
  const lines = (fields.line_items ?? []) as Array<{ quantity: number; unit_cost: number }>;
  const isWhole = moneyFacts(operation)?.isWhole === true;
  const amount = isWhole
    ? SALE_CENTS / 100
    : lines[0]
      ? lines[0].quantity * lines[0].unit_cost
      : Number(fields.amt_tran ?? fields.amt_paid);
  const object = objects.findIndex((name) =>
    sale !== undefined
      ? name.pgId === sale
      : invoice !== undefined
        ? name.invoice === Number(invoice)
        : fields.card_id === undefined
          ? name.customer === (fields.payee_id ?? fields.customer_id)
          : name.card === fields.card_id,
  );
  const step = operation === 'split' && sale === undefined ? 1 : 0;
  const fee = Math.round(Number(fields.amt_convenience_fee ?? 0) * 100);
  return object < 0 ? undefined : { node, objects: [object], step, cents: Math.round(amount * 100), fee };
}

/** No two nodes of a workflow write to the same path. */
function operationAt(path: string): OperationName {
  if (path.startsWith('/pg/refund/')) return 'refund';
  if (path.endsWith('/payments')) return 'payment';
  return path.startsWith('/platform/invoice') ? 'invoice' : 'subscription';
}
