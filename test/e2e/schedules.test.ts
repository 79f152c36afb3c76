import { hosts, startHost, type Host } from './host';
import { Player, SCHEDULES, type Books } from './schedules';

const report = (name: string, books: Books[]) => {
  for (const one of books) process.stderr.write(`${name}: ${JSON.stringify(one)}\n`);
};

describe.each(hosts)('payments in $name', ({ name, major }) => {
  let host: Host;
  beforeAll(async () => {
    host = await startHost({ major });
  });
  afterAll(async () => await host?.stop());
  const player = new Player(() => host);

  test.each(SCHEDULES)('are applied once and reported truthfully: $name', async (schedule) => {
    report(`${name}, ${schedule.name}`, await player.play(schedule));
  });

  test('are applied at most once and reported truthfully: kill and two retries', async () => {
    report(`${name}, kill and two retries`, await player.kill('kill'));
  });

  test('are applied at most once and reported truthfully: loop with a kill', async () => {
    report(`${name}, loop with a kill`, await player.kill('loop', 2));
  });
});
