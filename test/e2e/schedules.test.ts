import { startAgentHost, waysOf, type AgentHost } from './agent-ways';
import { hosts } from './host';
import { startQueueHost, type QueueHost } from './queue-host';
import { Player, SCHEDULES, type Books } from './schedules';

const report = (name: string, books: Books[]) => {
  for (const one of books) process.stderr.write(`${name}: ${JSON.stringify(one)}\n`);
};

describe.each(hosts)('payments in $name', ({ name, major }) => {
  let host: AgentHost;
  beforeAll(async () => {
    host = await startAgentHost(major);
  });
  afterAll(async () => await host?.stop());
  const player = new Player(() => host);

  test.each(SCHEDULES)('applies payments once and reports them truthfully: $name', async (schedule) => {
    report(`${name}, ${schedule.name}`, await player.play(schedule));
  });

  test('applies payments at most once and reports them truthfully after a kill and two retries', async () => {
    report(`${name}, kill and two retries`, await player.kill('kill', [host.n8n]));
  });

  test('applies payments at most once and reports them truthfully in a loop with a kill', async () => {
    report(`${name}, loop with a kill`, await player.kill('loop', [host.n8n], 2));
  });

  test('applies payments once and reports them truthfully if a tool is called twice', async () => {
    for (const { ask } of waysOf[major].slice(0, 1))
      report(`${name}, tool called twice`, await player.callTwice(host, ask));
  });
});

/** Settings with which n8n notices a killed worker after some seconds instead of two minutes. */
const NOTICE_SOON = {
  QUEUE_WORKER_LOCK_DURATION: '5000',
  QUEUE_WORKER_STALLED_INTERVAL: '3000',
  N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '0.5',
};

describe.each(hosts)('payments in the queue mode of $name', ({ name, major }) => {
  let host: QueueHost;
  beforeAll(async () => {
    host = await startQueueHost({ major, webhooks: 0, workers: 2, env: NOTICE_SOON });
  });
  afterAll(async () => await host?.stop());

  // n8n 1 gives the job of a killed worker to the other one. n8n 2 ends it, and its retry only works if n8n crashed too.
  test('applies payments at most once and reports them truthfully if a worker is killed', async () => {
    const { main, workers } = host.queue;
    const killed = major === 1 ? workers.slice(0, 1) : [main, ...workers];
    report(`${name}, killed worker`, await new Player(() => host).kill('worker', killed));
  });
});
