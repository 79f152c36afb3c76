interface Environment {
  teardown: () => Promise<void>;
}
type EnvironmentClass<T = Environment> = new (config: object) => T;
interface EventHandler {
  handleTestEvent: (event: object) => Promise<void>;
}
type Workflow = typeof import('n8n-workflow');

const WorkerEnvironment = jest.requireActual<EnvironmentClass>('./environment.cjs');
const BrowserEnvironment =
  jest.requireActual<EnvironmentClass<Environment & EventHandler>>('./browser-environment.cjs');
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

describe('The environment of browser tests', () => {
  const environment = new BrowserEnvironment(config);
  const emit = async (name: string, test?: object) => await environment.handleTestEvent({ name, test });
  const print = jest.spyOn(process.stderr, 'write').mockReturnValue(true);

  beforeAll(() => Object.assign(globalThis, { describePages: async () => await Promise.resolve('Page A') }));
  afterEach(() => print.mockClear());
  afterAll(async () => {
    print.mockRestore();
    await environment.teardown();
  });

  test('if a hook before all tests fails, the environment skips no test, so that Jest fails all tests', async () => {
    const next = {};
    await emit('hook_failure');
    await emit('test_start', next);
    expect(next).toEqual({});
    expect(print).toHaveBeenCalledWith(expect.stringContaining('Page A'));
  });

  test('if a test fails, the environment prints its pages and skips the remaining tests', async () => {
    const next = {};
    await emit('test_fn_failure', { name: 'a refund' });
    await emit('test_start', next);
    expect(next).toEqual({ mode: 'skip' });
    expect(print).toHaveBeenCalledWith('\nPages of the failed test "a refund":\nPage A\n\n');
  });
});
