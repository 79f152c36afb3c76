import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { answer } from '../../sandbox/calls/operation';
import { InterfaceDocument } from '../../sandbox/contract/document';
import { SandboxClock } from '../../sandbox/core/clock';
import { Timeline } from '../../sandbox/core/timeline';
import { allOperations } from '../../sandbox/operations';
import { Environment, sandboxCredentials } from '../../sandbox/state/environment';

interface Tagged {
  tags: Array<{ name: string }>;
  paths: Record<string, Record<string, { operationId?: string; tags?: string[] }>>;
}

const OPERATIONS = '../../sandbox/operations';

const document = new InterfaceDocument();
const operations = allOperations(document);
const environment = new Environment('test', sandboxCredentials('test'), new Timeline(new SandboxClock()));
const request = { path: {}, query: {}, body: undefined };

test('the sandbox serves every operation of the interface description once', () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids).toEqual(expect.arrayContaining(document.operations.map(({ operationId }) => operationId)));
  expect(new Set(ids).size).toBe(ids.length);
  const places = operations.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(places).size).toBe(places.length);
});

test('each file holds the handlers of one declared tag, in the order of the interface description', async () => {
  const { tags: declared, paths } = document.root as unknown as Tagged;
  const described = Object.values(paths).flatMap((item) => Object.values(item));
  const files = declared.map(({ name }) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  expect(readdirSync(join(__dirname, OPERATIONS)).sort()).toEqual(
    [...files, 'index'].map((file) => `${file}.ts`).sort(),
  );
  for (const [index, { name }] of declared.entries()) {
    const module = (await import(`${OPERATIONS}/${files[index]}`)) as Record<string, object>;
    const own = described.filter(({ tags }) => tags?.includes(name)).map(({ operationId }) => operationId);
    expect(Object.keys(module[`${name}Handlers`] ?? {})).toEqual(own);
  }
});

test.each(operations.map((operation) => [operation.operationId, operation] as const))(
  '%s refuses an unknown query field in the format of its family',
  (_, operation) => {
    const names = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => [name, '1'] as const);
    const unknown = { ...request, path: Object.fromEntries(names), query: { no_such_field: '1' } };
    const expected =
      operation.family === 'gateway' ? { rcode: '100' } : { code: 2, fields: expect.anything() as object };
    expect(() => answer(operation, environment, unknown)).toThrow(expect.objectContaining(expected) as Error);
  },
);

test('path and query values reach an operation in their declared types', () => {
  const list = operations.find(({ operationId }) => operationId === 'getWebhooks');
  const customers = operations.find(({ operationId }) => operationId === 'browseCustomers');
  for (const operation of [list, customers]) {
    if (!operation) throw new Error('Not served');
    const page = answer(operation, environment, { ...request, query: { count: '5', page: '0' } });
    expect(page).toMatchObject({ code: 0, totalRecords: 0, data: [] });
  }
});
