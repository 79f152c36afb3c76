import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Operation } from '../../nodes/PaymentPlatform/model/types';
import type { Sandbox } from '../../sandbox';
import { Random } from '../simulator/random';
import { PAYMENT_NODE } from '../workflow/harness';
import { offered, Panel, type Filled } from '../workflow/panel/person/fill';
import { Habits, LEFT, type Typed } from '../workflow/panel/person/habits';
import { prepare, run, sentAs, type Filling } from './filling';
import { nodeSwitches, pathsOf, secretParameters } from './secret-fields';

/** An operation with the stored name of its resource. */
export interface Described {
  resource: string;
  operation: Operation;
}

/** How many fillings of an operation are tried before others are, which may make what it needs. */
const TRIES = 15;
/** How many fillings are thrown away at most for one with a secret that is left. */
const DRAWS = 20;
const SEED = 1;

/** What the service has when a panel is filled. */
interface World {
  before: readonly Filling[];
  /** The items of what ran before. */
  made: IDataObject[];
}

/** Somebody who fills one panel until all its secret parameters stood in a filling that did its work. */
export class Search {
  private readonly random = new Random(SEED);
  private readonly habits = new Habits(this.random);
  private readonly panel: Panel;
  private readonly left: Set<string>;
  private world: World | undefined;
  readonly fillings: Filling[] = [];

  constructor(
    private readonly sandbox: Sandbox,
    private readonly of: Described,
    private readonly options: INodeParameters,
  ) {
    const secrets = secretParameters(of.operation);
    const switches = nodeSwitches(of.operation);
    const { description } = PAYMENT_NODE;
    this.panel = new Panel(description, this.random, this.habits, {
      shares: [5, 30, 60],
      careful: 100,
      wanted: (name) => secrets.get(name),
      kept: (name) => switches.has(name),
    });
    const names = new Set(secrets.keys());
    this.left = new Set(pathsOf(offered(description, of.resource, of.operation.value), names));
    for (const name of names)
      if (![...this.left].some((path) => path.split('.').at(-1) === name))
        throw new Error(`The panel of ${this.name} has no parameter ${name}`);
  }

  /** Whether it writes, so that it may make what others need. */
  get writes(): boolean {
    return this.of.operation.request.effect !== 'reads';
  }

  get resource(): string {
    return this.of.resource;
  }

  get name(): string {
    return `${this.of.resource}.${this.of.operation.value}`;
  }

  get isOver(): boolean {
    return this.fillings.length > 0 && this.left.size === 0;
  }

  get missing(): string[] {
    return [...this.left];
  }

  /** @param others fillings of which one may make what is needed. */
  async go(others: readonly Filling[]): Promise<void> {
    for (let tries = 0; tries < TRIES && !this.isOver; tries += 1) {
      const { control } = this.sandbox;
      const world = this.world ?? (await this.newWorld(others));
      control.clearJournal();
      await this.try(world);
      // Where nothing was sent, nothing changed.
      this.world = control.journal().length === 0 ? world : undefined;
    }
    this.world = undefined;
  }

  /** What made the records of a filling that did its work makes those of the next ones too. */
  private async newWorld(others: readonly Filling[]): Promise<World> {
    const [first] = this.fillings;
    const helper = others.length > 0 ? this.random.pick(others) : undefined;
    const before = first && this.random.percent(80) ? first.before : helper ? [...helper.before, helper] : [];
    return { before, made: await prepare(this.sandbox, { resource: this.of.resource, before }) };
  }

  /** One of some fillings in which a secret stands that is left. */
  private fill(records: unknown): Filled {
    const { resource, operation } = this.of;
    const draw = () => this.panel.fill(resource, operation.value, records);
    let filled = draw();
    for (let draws = 1; draws < DRAWS && this.left.size > 0 && this.leftIn(filled).length === 0; draws += 1)
      filled = draw();
    return filled;
  }

  /** Paths of the secrets in a filling that no other one had. */
  private leftIn({ typed }: Filled): string[] {
    const secrets = typed.filter(({ path, value }) => this.left.has(path) && value !== LEFT);
    return [...new Set(secrets.map(({ path }) => path))];
  }

  private async try({ before, made }: World): Promise<void> {
    const { resource } = this.of;
    const { control } = this.sandbox;
    // What was just made belongs together.
    const records = made.length > 0 && this.random.percent(60) ? made : control.state();
    const filled = this.fill(records);
    const parameters = { ...filled.parameters, options: this.options };
    const { said } = await run(this.sandbox, parameters);
    const [first] = control.journal();
    this.habits.learn(blamed(filled.typed, said), said === '');
    if (said !== '' || first === undefined) return;
    const paths = this.leftIn(filled);
    if (this.fillings.length > 0 && paths.length === 0) return;
    for (const path of paths) this.left.delete(path);
    // The first one is not needed where another one fills secrets, and it does not.
    if (this.fillings[0]?.secrets.length === 0) this.fillings.shift();
    this.fillings.push({ resource, parameters, before, secrets: paths, sends: sentAs(first) });
  }
}

/** What was typed under a label that a message names; all of it where there is no message. */
function blamed(typed: readonly Typed[], said: string): readonly Typed[] {
  if (said === '') return typed;
  const quoted = [...said.matchAll(/"([^"]+)"/g)].flatMap(([, words = '']) => words.split(' > '));
  const labels = new Set(quoted.flatMap((part) => [part, part.replace(/ \d+$/, '')]));
  return typed.filter(({ label }) => labels.has(label));
}
