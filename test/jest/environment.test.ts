interface Environment {
  teardown: () => Promise<void>;
}
type EnvironmentClass = new (config: object) => Environment;
type Workflow = typeof import('n8n-workflow');

const WorkerEnvironment = jest.requireActual<EnvironmentClass>('./environment.cjs');
const config = { projectConfig: { globals: {}, fakeTimers: {} } };

test('after a test file, the environment restores all globals and environment variables', async () => {
  const environment = new WorkerEnvironment(config);
  const { fetch, setTimeout: timer } = globalThis;
  const { PATH } = process.env;
  Object.assign(globalThis, { left: 1, fetch: undefined, setTimeout: () => 0 });
  Object.assign(process.env, { LEFT: '1', PATH: '/nowhere' });
  await environment.teardown();
  expect(globalThis).not.toHaveProperty('left');
  expect([globalThis.fetch, globalThis.setTimeout]).toEqual([fetch, timer]);
  expect([process.env.LEFT, process.env.PATH]).toEqual([undefined, PATH]);
});

test("test files share packages but reload the project's own modules", () => {
  const load = () => {
    let loaded: unknown[] = [];
    jest.isolateModules(() => {
      loaded = [
        jest.requireActual<Workflow>('n8n-workflow').Workflow,
        jest.requireActual<object>('../../nodes/PaymentPlatform/resources'),
      ];
    });
    return loaded;
  };
  const [first, second] = [load(), load()];
  expect(first[0]).toBe(second[0]);
  expect(first[1]).not.toBe(second[1]);
});

test('a test file that replaces a package fails, because the replacement would affect all files', () => {
  expect(() => jest.doMock('n8n-workflow', () => ({}))).toThrow('All test files of a worker share n8n-workflow');
});
