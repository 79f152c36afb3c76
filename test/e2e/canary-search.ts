import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Operation } from '../../nodes/PaymentPlatform/model/types';
import type { Sandbox } from '../../sandbox';
import { Random } from '../simulator/random';
import { PAYMENT_NODE } from '../workflow/harness';
import { offered, Panel, type Filled } from '../workflow/panel/person/fill';
import { Habits, LEFT, type Typed } from '../workflow/panel/person/habits';
import { prepare, run, sentAs, type Filling } from './filling';
import { nodeSwitches, pathsOf, secretParameters } from './secret-fields';

export interface Described {
  resource: string;
  operation: Operation;
}

/** Number of attempts before the search tests other operations, which may create missing records. */
const TRIES = 15;
/** Maximum number of consecutive parameter sets that contain no new secret to check. */
const DRAWS = 20;
const SEED = 1;

interface World {
  before: readonly Filling[];
  made: IDataObject[];
}

/** Fills in an operation's panel at random until accepted requests have covered all secret parameters. */
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

  /** Only a write can create records for other operations. */
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

  async go(others: readonly Filling[]): Promise<void> {
    for (let tries = 0; tries < TRIES && !this.isOver; tries += 1) {
      const { control } = this.sandbox;
      const world = this.world ?? (await this.newWorld(others));
      control.clearJournal();
      await this.try(world);
      // The node sent no request, so the service's prepared records are unchanged.
      this.world = control.journal().length === 0 ? world : undefined;
    }
    this.world = undefined;
  }

  /** Reuses the preparation of an accepted parameter set, which created the necessary records. */
  private async newWorld(others: readonly Filling[]): Promise<World> {
    const [first] = this.fillings;
    const helper = others.length > 0 ? this.random.pick(others) : undefined;
    const before = first && this.random.percent(80) ? first.before : helper ? [...helper.before, helper] : [];
    return { before, made: await prepare(this.sandbox, { resource: this.of.resource, before }) };
  }

  private fill(records: unknown): Filled {
    const { resource, operation } = this.of;
    const draw = () => this.panel.fill(resource, operation.value, records);
    let filled = draw();
    for (let draws = 1; draws < DRAWS && this.left.size > 0 && this.leftIn(filled).length === 0; draws += 1)
      filled = draw();
    return filled;
  }

  private leftIn({ typed }: Filled): string[] {
    const secrets = typed.filter(({ path, value }) => this.left.has(path) && value !== LEFT);
    return [...new Set(secrets.map(({ path }) => path))];
  }

  private async try({ before, made }: World): Promise<void> {
    const { resource } = this.of;
    const { control } = this.sandbox;
    // Prefers records prepared together, because they refer to each other.
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
    if (this.fillings[0]?.secrets.length === 0) this.fillings.shift();
    this.fillings.push({ resource, parameters, before, secrets: paths, sends: sentAs(first) });
  }
}

/** Returns the parameters that an error message names, or all parameters if the message is empty. */
function blamed(typed: readonly Typed[], said: string): readonly Typed[] {
  if (said === '') return typed;
  const quoted = [...said.matchAll(/"([^"]+)"/g)].flatMap(([, words = '']) => words.split(' > '));
  const labels = new Set(quoted.flatMap((part) => [part, part.replace(/ \d+$/, '')]));
  return typed.filter(({ label }) => labels.has(label));
}
