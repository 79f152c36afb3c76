import { startAgentHost, waysOf, type AgentHost } from './agent-ways';
import { describeDayLimits } from './day-limits';
import { major, version } from './host';
import { describeRetries } from './retries';
import { describeSecondClick } from './second-click';
import { Player, SCHEDULES, type Books } from './schedules';

const report = (name: string, books: Books[]) => {
  for (const one of books) process.stderr.write(`${name}: ${JSON.stringify(one)}\n`);
};

describe(`Payments in ${version}`, () => {
  let host: AgentHost;
  beforeAll(async () => {
    host = await startAgentHost();
  });
  afterAll(async () => await host?.stop());
  const player = new Player(() => host);
  describeRetries(() => host);
  describeDayLimits(() => host);
  describeSecondClick(() => host);

  test.each(SCHEDULES)('each payment is applied once and reported correctly: $name', async (schedule) => {
    report(`${version}, ${schedule.name}`, await player.play(schedule));
  });

  test('each payment is applied at most once and reported correctly after n8n was killed and two retries', async () => {
    report(`${version}, kill and two retries`, await player.kill('kill', [host.n8n]));
  });

  test('each payment is applied at most once and reported correctly in a loop in which n8n is killed', async () => {
    report(`${version}, loop with a kill`, await player.kill('loop', [host.n8n], 2));
  });

  test('each payment is applied once and reported correctly if a model calls a tool twice', async () => {
    for (const { ask } of waysOf[major].slice(0, 1))
      report(`${version}, tool called twice`, await player.callTwice(host, ask));
  });
});
