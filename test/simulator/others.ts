import { EUROS, PURCHASE_ID, REFERENCE } from './alike';
import { KEYS, MERCHANT_ID } from './keys';
import { recordIdOf } from './books';
import { moneyFacts } from './money';
import { INVOICE_NUMBER } from './parameters';
import type { Item, ObjectName, OperationName, Schedule, Stranger } from './schedule';
import type { Service } from './service';

/** Writes of other clients and earlier executions, whose records the node must not take for its own. */
export class Others {
  /** IDs of records that no item of the workflow created. The other environment may have records with the same IDs. */
  private readonly ids = new Set<string>();
  private readonly occupied = new Set<number>();

  constructor(
    private readonly schedule: Schedule,
    private readonly service: Service,
    private readonly objects: ObjectName[],
  ) {}

  /** Applies the refunds of an earlier execution. */
  completeEarlier(items: Item[]): void {
    for (const { object, cents } of items)
      this.apply(`/pg/refund/${this.objects[object]?.pgId}`, { amt_tran: cents / 100 });
  }

  /** Creates invoices with the number of the items and other amounts. */
  occupy(items: Item[]): void {
    for (const { object, cents } of items) {
      if (this.occupied.has(object)) continue;
      this.occupied.add(object);
      const line_items = [{ quantity: 1, description: 'Other terms', unit_cost: (cents + 100) / 100 }];
      const body = { customer_id: this.objects[object]?.customer, invoice_number: INVOICE_NUMBER, line_items };
      this.keep('invoice', this.apply('/platform/invoice', body));
    }
  }

  owns = (environment: string, id: string): boolean =>
    environment === this.schedule.service.environment && this.ids.has(id);

  isOccupied = (operation: OperationName, object: number): boolean =>
    operation === 'invoice' && this.occupied.has(object);

  /** Makes a payment that differs from an item's payment in one value. */
  pay({ differs }: Stranger, { cents, currency, hasCard, object }: Item): void {
    const { operation, alike } = this.schedule;
    const facts = moneyFacts(operation);
    const name = this.objects[differs === 'object' ? this.objects.length - 1 : object];
    if (!facts || !name || (facts.isWhole && differs !== 'object')) return;
    // A charge that names only the customer may use any card of the customer.
    if (differs === 'card' && (!hasCard || this.areCardsEqual(name))) return;
    const isSecond = differs === 'card' ? !hasCard : hasCard;
    const isEuro = differs === 'currency' ? currency === undefined : currency !== undefined;
    // No check can tell a payment apart that is equal to an item's payment.
    const isOfItem = (one: Item) =>
      [one.object, one.cents, one.hasCard === true, one.currency !== undefined].join() ===
      [object, cents + (differs === 'amount' ? 100 : 0), isSecond === true, isEuro].join();
    if (!['object', 'reference'].includes(differs) && this.schedule.items.some(isOfItem)) return;
    const payer = isSecond ? { card_id: name.card } : { customer_id: name.customer };
    const other = differs === 'reference' ? '-OTHER' : '';
    const body = {
      ...(!facts.isWhole && { amt_tran: (cents + (differs === 'amount' ? 100 : 0)) / 100 }),
      ...(facts.on === 'customer' && { ...payer, ...facts.more, ...(isEuro && { tran_currency: currency ?? EUROS }) }),
      ...(facts.on === 'payee' && { payee_id: name.customer }),
      ...(alike?.reference && facts.on !== 'sale' && { merch_ref_num: `${REFERENCE}${other}` }),
      ...(alike?.purchaseId && facts.on === 'customer' && { purchase_id: `${PURCHASE_ID}${other}` }),
    };
    this.keep(operation, this.apply(facts.pathOf(name.pgId), body));
  }

  /** Returns whether both cards of the customer have the same number. */
  private areCardsEqual({ customer }: ObjectName): boolean {
    const { customers } = this.service.environments[this.schedule.service.environment];
    const cards = customers.find(({ customer_id }) => customer_id === customer)?.billing_cards ?? [];
    return new Set(cards.map(({ source }) => source.fingerprint)).size < cards.length;
  }

  private keep(operation: OperationName, body: Record<string, unknown>): void {
    const id = recordIdOf(operation, 0, body);
    if (id !== undefined) this.ids.add(id);
  }

  private apply(path: string, body: object): Record<string, unknown> {
    const { environment } = this.schedule.service;
    const authorization = `Basic ${Buffer.from(`${MERCHANT_ID}:${KEYS[environment][0]}`).toString('base64')}`;
    const whole = path.startsWith('/pg/') ? { merchant_id: MERCHANT_ID, ...body } : body;
    return this.service.apply({ environment, method: 'POST', path, query: {}, body: whole, authorization }, 0).answer
      .body;
  }
}
