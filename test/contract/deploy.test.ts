import { parse } from 'yaml';

import { read } from './repository';

interface Service {
  image?: string;
  build?: { context: string; dockerfile: string };
  command?: string;
  environment: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
}

const compose = read('host/deploy/docker-compose.yml');
const { services } = parse(compose, { merge: true }) as { services: Record<string, Service> };
const dockerfile = read('host/deploy/Dockerfile');
const guide = read('docs/how-to/scaling.md');
const processes = ['main', 'webhook', 'worker'];

/** Environment variables of the end-to-end tests in n8n's queue mode. */
const tested = [...read('host/queue.ts').matchAll(/^ {4}([A-Z][A-Z0-9_]+):/gm)].map(([, name = '']) => name);
/** Ports of PostgreSQL and Redis on the computer that runs the tests. */
const LOCAL = ['DB_POSTGRESDB_PORT', 'QUEUE_BULL_REDIS_PORT'];

test('every process in the Compose file has the queue settings of the end-to-end tests', () => {
  expect(tested.length).toBeGreaterThan(8);
  for (const name of processes)
    expect(Object.keys(services[name]?.environment ?? {})).toEqual(
      expect.arrayContaining([...tested.filter((one) => !LOCAL.includes(one)), 'N8N_ENCRYPTION_KEY']),
    );
});

test('every process runs the same image, which contains the package', () => {
  for (const name of processes)
    expect(services[name]).toMatchObject({
      image: services.main?.image,
      build: { context: '../..', dockerfile: 'host/deploy/Dockerfile' },
    });
  expect(dockerfile).toContain('COPY --from=package --chown=node:node /nodes /home/node/.n8n/nodes');
});

test('the image has the tested version of n8n', () => {
  const { dependencies } = JSON.parse(read('host/package.json')) as { dependencies: { n8n: string } };
  expect(dockerfile).toContain(`n8nio/n8n:${dependencies.n8n}\n`);
  expect(guide).toContain(`n8nio/n8n:${dependencies.n8n} `);
});

test('a process starts only after the services that it needs, which have a health check', () => {
  for (const { depends_on = {} } of Object.values(services))
    for (const [name, { condition }] of Object.entries(depends_on)) {
      expect([name, condition]).toEqual([name, 'service_healthy']);
      expect([name, services[name]?.healthcheck]).toEqual([name, expect.any(Object)]);
    }
  expect(Object.keys(services.main?.depends_on ?? {})).toEqual(['postgres', 'redis']);
});

test('the image contains no secrets of the computer that builds it', () => {
  const ignored = read('host/deploy/Dockerfile.dockerignore').split('\n');
  expect(ignored).toEqual(expect.arrayContaining(['.data', 'host/deploy/.env']));
});

test('no secret has a default value', () => {
  const secrets = [...compose.matchAll(/(PASSWORD|KEY): (.*)/g)].map(([, , value]) => value);
  expect(secrets.length).toBe(3);
  expect(secrets.filter((value) => !/^\$\{[A-Z0-9_]+:\?\}$/.test(value ?? ''))).toEqual([]);
});

test('every image in the Compose file and the Dockerfile has a version, and the guide prints its digest', () => {
  const images = [
    ...Object.values(services).flatMap(({ image, build }) => (image && !build ? [image] : [])),
    ...[...dockerfile.matchAll(/^ARG \w+_IMAGE=(.*)$/gm)].map(([, image = '']) => image),
  ];
  expect(images).toHaveLength(4);
  for (const image of images) {
    expect(image).toMatch(/:\d[\w.-]*(@sha256:[0-9a-f]{64})?$/);
    expect(guide).toContain(image.replace(/@.*/, ''));
  }
});
