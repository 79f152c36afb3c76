import { answer, type Operation } from '../../sandbox/calls/operation';
import { InterfaceDocument } from '../../sandbox/contract/document';
import { SandboxClock } from '../../sandbox/core/clock';
import { Timeline } from '../../sandbox/core/timeline';
import { isAuthorized } from '../../sandbox/server/authentication';
import { answerOfError, familyOf, type Answer } from '../../sandbox/core/envelopes';
import { GatewayRefusal, noSuchResource, PlatformRefusal } from '../../sandbox/core/refusals';
import { allOperations } from '../../sandbox/operations';
import { closeBatch, sendDeposits } from '../../sandbox/rules/batches';
import { Environment, type EnvironmentName, type SandboxCredentials } from '../../sandbox/state/environment';
import { addCapturedSales, addCustomers } from '../../sandbox/seed/seed';
import { Identifiers } from '../../sandbox/core/identifiers';
import { makeAlike } from './alike';
import { KEYS, LINKED_MERCHANT_ID, MERCHANT_ID } from './keys';
import { SALE_CENTS, type MoneyFacts } from './money';
import type { Alike } from './schedule';
import { readAccount } from '../../sandbox/core/cards';
import { invoiceHandlers } from '../../sandbox/operations/invoice';

/** Request that the service received, with a path relative to the environment's base URL. */
export interface Arrived {
  environment: EnvironmentName;
  method: string;
  path: string;
  query: Record<string, unknown>;
  body: unknown;
  authorization?: string;
}

interface Route {
  operation: Operation;
  pattern: RegExp;
  names: string[];
}

const routes: Route[] = allOperations(new InterfaceDocument()).map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/\{[^}]+\}/g, '([^/]+)')}$`),
  names: [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => String(name)),
}));

interface Needed {
  sales?: MoneyFacts['sales'];
  invoices: boolean;
  payees: boolean;
  settled: boolean;
  alike?: Alike;
}

const credentialsOf = (name: EnvironmentName): SandboxCredentials => ({
  merchantId: MERCHANT_ID,
  linkedMerchantId: LINKED_MERCHANT_ID,
  apiKey: KEYS[name][0],
  token: '',
});

/**
 * Simulated service with the sandbox's rules. Both environments hold identical records, which exposes requests to the
 * wrong one.
 */
export class Service {
  readonly environments: Record<EnvironmentName, Environment>;

  constructor(objects: number, { sales, invoices, payees, settled, alike }: Needed) {
    const timeline = new Timeline(new SandboxClock());
    const make = (name: EnvironmentName): Environment => {
      const environment = new Environment(name, credentialsOf(name), timeline);
      environment.ids = new Identifiers('simulator');
      addCustomers(environment, objects);
      const authorizeOnly = sales === 'authorized';
      if (sales) addCapturedSales(environment, { count: objects, amountCents: SALE_CENTS, authorizeOnly });
      if (sales === 'any' && settled) {
        closeBatch(environment);
        sendDeposits(environment);
      }
      if (invoices) for (const { customer_id } of environment.customers) addOpenInvoice(environment, customer_id);
      if (payees) for (const { customer_id } of environment.customers) addPayee(environment, customer_id);
      makeAlike(environment, alike);
      environment.baseUrl = `https://api.example.com/${name}`;
      return environment;
    };
    this.environments = { test: make('test'), production: make('production') };
  }

  /**
   * Applies a request.
   * @param lagMs time in milliseconds before a new record appears in the report.
   */
  apply(arrived: Arrived, lagMs: number): { answer: Answer; applied: boolean } {
    const environment = this.environments[arrived.environment];
    const family = familyOf(arrived.path);
    try {
      if (
        !KEYS[arrived.environment].some((apiKey) =>
          isAuthorized(arrived.authorization, { ...credentialsOf('test'), apiKey }),
        )
      )
        throw family === 'gateway'
          ? new GatewayRefusal('101', 'Invalid id or key', 401)
          : new PlatformRefusal(11, 'Invalid credentials', 401);
      return {
        answer: { status: 200, body: this.handle(arrived, environment, lagMs) },
        applied: arrived.method !== 'GET',
      };
    } catch (error) {
      if (!(error instanceof GatewayRefusal) && !(error instanceof PlatformRefusal)) throw error;
      return { answer: answerOfError(family, error), applied: false };
    }
  }

  private handle(arrived: Arrived, environment: Environment, lagMs: number): Record<string, unknown> {
    for (const { operation, pattern, names } of routes) {
      const found = operation.method === arrived.method ? pattern.exec(arrived.path) : null;
      if (!found) continue;
      const path = Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]));
      environment.listLagMilliseconds = lagMs;
      return { ...answer(operation, environment, { path, query: arrived.query, body: arrived.body }) };
    }
    throw noSuchResource('URL');
  }
}

function addPayee(environment: Environment, payee_id: string): void {
  const source = readAccount('021000021', '000123456789');
  if (!source) throw new Error('The account of a payee is invalid');
  const { merchantId: merchant_id } = environment.credentials;
  const account = { source, type_id: 'K', verified: environment.clock.now() } as const;
  environment.payees.set(payee_id, { payee_id, merchant_id, payee_name: payee_id, account });
}

function addOpenInvoice(environment: Environment, customer_id: string): void {
  const line_items = [{ quantity: 1, description: 'Open invoice', unit_cost: 1000 }];
  invoiceHandlers.createInvoice({
    environment,
    path: undefined,
    query: undefined,
    recordFields: [],
    body: { customer_id, line_items },
  });
}
