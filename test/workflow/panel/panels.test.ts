import { resources } from '../../../nodes/PaymentPlatform/resources';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { Random } from '../../simulator/random';
import { Learner, operations, type Attempt, type Chosen } from './person/learner';
import { Outputs } from './person/outputs';
import { fieldsKnown, fieldsSent } from './person/reach';
import { startRecorder, type Recorder } from './person/service';
import { isDeep, quantity } from '../../quantity';

/** Minimum number of attempts to fill in each panel. */
const LEAST = Number(process.env.PANELS ?? quantity(2, 25));
const MOST_IN_VAIN = 500;
/** Number of attempts in vain after which the user forgets what the messages taught, because some of it was misleading. */
const MOST_BEFORE_FORGETTING = 100;
/** Resources whose panels the test fills in until every field is covered. */
const FILLED_WHOLLY = isDeep ? resources.map(({ value }) => value) : ['transaction', 'checkout', 'payee'];
/** Maximum number of fields in a request for which `npm test` covers every field. */
const MOST_FIELDS = isDeep ? Infinity : 40;
/** Probability in percent that the test resets the service after an attempt. */
const ANEW = 40;
const SEED = Number(process.env.SEED ?? 1);

function isFilledWholly({ resource, operationId }: Chosen): boolean {
  return FILLED_WHOLLY.includes(resource) && fieldsKnown(operationId).length <= MOST_FIELDS;
}

const left = new Map(
  operations.filter(isFilledWholly).map(({ operationId }) => [operationId, new Set(fieldsKnown(operationId))]),
);
/** Requests that haven't received a successful response yet. */
const unanswered = new Set(operations.map(({ operationId }) => operationId));

let sandbox: Sandbox;
let recorder: Recorder;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
  recorder = await startRecorder(sandbox.port);
});
afterAll(async () => {
  await recorder.stop();
  await sandbox.stop();
});

/** An ISO time is for programs. A sentence names the time zone in words. */
const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:/;
/** A value that was found, and the examples of values that a parameter accepts. */
const ENTERED = /found .*?\)|e\.g\. \d{4}-\d\d-\d\d(?:T[\d:-]+)?(?: or \d{4}-\d\d-\d\dT[\d:-]+)?/g;
const SENTENCE = /^(?:what_happened|what_would_happen|notice|next_step|\w+_text)$/;

function isoTimesIn(said: string, records: readonly object[]): string[] {
  const entries = records.flatMap((one) => Object.entries(one) as Array<[string, unknown]>);
  const sentences = entries.filter(([name]) => SENTENCE.test(name)).map(([, value]) => String(value));
  return [said, ...sentences].filter((text) => ISO_TIME.test(text.replaceAll(ENTERED, '')));
}

/** Checks that requests, responses and output items match the interface and the output schema. */
function hold({ filled, said, labels, sent, records }: Attempt, { operationId }: Chosen, outputs: Outputs): void {
  for (const { operationId: of, problems, answer } of sent) {
    const wrong = [...problems, ...(answer?.problems ?? []).map((problem) => `answer: ${problem}`)];
    expect({ of, wrong, filled }).toEqual({ of, wrong: [], filled });
    if (answer?.isSuccess) unanswered.delete(of);
  }
  if (sent.length === 0 && labels.length === 0)
    throw new Error(`Refused without naming a field: ${said}\n${JSON.stringify(filled.parameters)}`);
  const misfits = outputs.problemsOf(records, filled.parameters);
  expect({ misfits, filled }).toEqual({ misfits: [], filled });
  expect(isoTimesIn(said, records)).toEqual([]);
  const own = sent.filter((request) => request.operationId === operationId);
  for (const field of own.flatMap(fieldsSent)) left.get(operationId)?.delete(field);
}

test.each(operations)('$name: sends or refuses random inputs and returns output as declared', async (chosen) => {
  const { name, resource, operationId, declared } = chosen;
  const writes = operations.filter((one) => one.resource === resource && one.declared.request.effect !== 'reads');
  const random = new Random(SEED);
  const learner = new Learner(random, sandbox, recorder);
  const outputs = new Outputs(declared);
  const isWhole = isFilledWholly(chosen);
  const missing = () =>
    (left.get(operationId)?.size ?? 0) + (isWhole ? outputs.unseen.length : 0) + Number(unanswered.has(operationId));
  await learner.renewRecords(resource);
  let [fillings, sendings, successes, inVain] = [0, 0, 0, 0];
  for (; fillings < LEAST || ((sendings === 0 || missing() > 0) && inVain < MOST_IN_VAIN); fillings += 1) {
    const before = missing();
    const isForFields = (left.get(operationId)?.size ?? 0) > 0 && fillings % 2 === 1;
    const attempt = await learner.attempt(chosen, isForFields ? 'sent' : 'records');
    hold(attempt, chosen, outputs);
    if (attempt.sent.some((request) => request.operationId === operationId)) sendings += 1;
    if (attempt.records.length > 0) successes += 1;
    inVain = missing() < before ? 0 : inVain + 1;
    if (inVain % MOST_BEFORE_FORGETTING === MOST_BEFORE_FORGETTING - 1) learner.forget();
    // A request without output may need different records.
    const isVain = attempt.records.length === 0 && attempt.sent.length > 0;
    if (random.percent(ANEW)) await learner.renewRecords(resource);
    else if (isVain && missing() > 0 && writes.length > 0) await learner.manage(random.pick(writes));
  }
  if (process.env.REPORT)
    process.stderr.write(`${name}: ${fillings} filled, ${sendings} sent, ${successes} gave records\n`);
  expect(sendings).toBeGreaterThan(0);
  if (isWhole) expect(outputs.unseen).toEqual([]);
});

test('fills in every field of every request at least once', () => {
  expect([...left].flatMap(([operationId, fields]) => [...fields].map((field) => `${operationId}: ${field}`))).toEqual(
    [],
  );
});

test('gets a successful response for every request at least once', () => {
  expect([...unanswered]).toEqual([]);
});
