import { NodeHelpers, type IDataObject, type INode } from 'n8n-workflow';

import type { Operation } from '../../../../nodes/PaymentPlatform/model/types';
import { resources } from '../../../../nodes/PaymentPlatform/resources';
import { asText } from '../../../../nodes/PaymentPlatform/shared/objects';
import type { Sandbox, StateDump } from '../../../../sandbox';
import type { Random } from '../../../simulator/random';
import { PAYMENT_NODE, runWorkflow } from '../../harness';
import { Panel, type Filled } from './fill';
import { Habits } from './habits';
import { freshRecords } from './records';
import type { Seen, Recorder } from './service';

export const PDF = {
  data: Buffer.from('%PDF-1.7').toString('base64'),
  mimeType: 'application/pdf',
  fileName: 'evidence.pdf',
};

export interface Chosen {
  name: string;
  resource: string;
  declared: Operation;
  operationId: string;
}

export interface Attempt {
  filled: Filled;
  /** Error message of n8n or the node. Empty if the run succeeds. */
  said: string;
  labels: string[];
  sent: Seen[];
  records: IDataObject[];
}

type Aim = 'sent' | 'records';

/** All operations with one request of the interface. */
export const operations = resources.flatMap(({ value: resource, operations: own }) =>
  own.flatMap((declared): Chosen[] => {
    const { operationId } = declared.request;
    return operationId === undefined
      ? []
      : [{ name: `${resource}.${declared.value}`, resource, declared, operationId }];
  }),
);

/** Simulates a user who sees only the panels and learns from the node's messages. */
export class Learner {
  private readonly known = new Map<string, { panel: Panel; habits: Habits }>();
  /** Undefined after a request that may have changed records. */
  private records: StateDump | undefined;
  private isFresh = false;

  constructor(
    private readonly random: Random,
    private readonly sandbox: Sandbox,
    private readonly recorder: Recorder,
  ) {}

  async attempt({ name, resource, declared, operationId }: Chosen, aim: Aim = 'records'): Promise<Attempt> {
    const { panel, habits } = this.of(`${name} ${aim}`);
    this.records ??= this.sandbox.control.state();
    const filled = panel.fill(resource, declared.value, this.records);
    // A preview sends nothing. The tests of previews set this option.
    delete (filled.parameters.options as IDataObject | undefined)?.previewOnly;
    const { said, sent, records } = await this.run(filled);
    if (sent.length > 0) [this.records, this.isFresh] = [undefined, false];
    const labels = named(said, filled.labels);
    const wasSent = sent.some((request) => request.operationId === operationId);
    if (records.length > 0 || (wasSent && aim === 'sent')) habits.learn(filled.typed, true);
    else {
      // If the message names no label, the chosen record may have caused the failure.
      const isAnother = sent.length > 0 && labels.length === 0;
      const wrong = filled.typed.filter(({ label, isRecord }) => (isAnother ? isRecord : labels.includes(label)));
      habits.learn(wrong, false);
      for (const { path, label } of wrong) habits.suggest(path, suggestions(said, label));
    }
    return { filled, said, labels, sent, records };
  }

  /** Repeats the attempt until the node returns records, at most `tries` times. */
  async manage(chosen: Chosen, tries = 5): Promise<void> {
    for (let tried = 0; tried < tries; tried += 1) if ((await this.attempt(chosen)).records.length > 0) return;
  }

  /**
   * Repeats the attempt with new records until the node returns records.
   * @param accept returns `undefined` to continue.
   * @throws after `most` attempts.
   */
  async fill<Value>(
    chosen: Chosen,
    accept: (attempt: Attempt) => Promise<Value | undefined> | Value | undefined,
    most: number,
  ): Promise<Value> {
    for (let tried = 0; tried < most; tried += 1) {
      await this.renewRecords(chosen.resource);
      const attempt = await this.attempt(chosen);
      const accepted = attempt.records.length > 0 ? await accept(attempt) : undefined;
      if (accepted !== undefined) return accepted;
    }
    throw new Error(`No request of ${chosen.name} succeeded as required`);
  }

  /** Resets the service and creates a resource's records, unless unused ones exist. */
  async renewRecords(resource: string): Promise<void> {
    if (this.isFresh) return;
    await freshRecords(this.sandbox, resource);
    [this.records, this.isFresh] = [undefined, true];
  }

  forget(): void {
    this.known.clear();
  }

  private of(name: string) {
    const habits = new Habits(this.random);
    const known = this.known.get(name) ?? { habits, panel: new Panel(PAYMENT_NODE.description, this.random, habits) };
    this.known.set(name, known);
    return known;
  }

  private async run({ parameters }: Filled): Promise<Pick<Attempt, 'said' | 'sent' | 'records'>> {
    const { description } = PAYMENT_NODE;
    const node = { typeVersion: 1, parameters } as INode;
    const issues = NodeHelpers.getNodeParametersIssues(description.properties, node, description)?.parameters ?? {};
    if (Object.keys(issues).length > 0) return { said: Object.values(issues).flat().join(' '), sent: [], records: [] };
    const { merchantId, apiKey } = this.sandbox.credentials.test;
    const { items, error } = await runWorkflow({
      rows: [{}],
      files: [{ data: PDF }],
      parameters,
      credential: { environment: 'test', baseUrl: this.recorder.baseUrl, merchantId, authMethod: 'apiKey', apiKey },
      onError: 'continueRegularOutput',
    });
    const all = items.map(({ json }) => json);
    const failed = all.map((json) => json.error as IDataObject | undefined).find((one) => one !== undefined);
    const said = error?.message ?? asText(failed?.message);
    return { said, sent: this.recorder.passed(), records: said === '' ? all : [] };
  }
}

/** Returns the numbers in a message about a label, such as 12.50 in `"Amount" is 12.50`. */
function suggestions(message: string, label: string): string[] {
  const parts = withoutInputs(message).split(/\. (?=")/);
  return parts.filter((part) => part.includes(`"${label}"`)).flatMap((part) => part.match(/\d+(\.\d+)?/g) ?? []);
}

const withoutInputs = (message: string): string => message.replace(/\(found [^)]*\)/g, '');

function named(message: string, labels: ReadonlySet<string>): string[] {
  const quoted = [...withoutInputs(message).matchAll(/"([^"]+)"/g)].map(([, words = '']) => words);
  const parts = quoted.flatMap((words) => words.split(' > '));
  return parts
    .flatMap((part) => [part, part.replace(/ \d+$/, '')])
    .flatMap((part) => [part, `${part} (JSON)`])
    .filter((part) => labels.has(part));
}
