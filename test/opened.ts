type Hook = (run: () => Promise<void>) => void;

/**
 * Opens an object before the tests, and closes it after them.
 * @param hooks `[beforeAll, afterAll]` by default. With `[beforeEach, afterEach]`, each test has its own object.
 * @returns a stand-in that reads each property from the open object.
 */
export function openedFor<Opened extends object>(
  open: () => Promise<Opened>,
  close: (opened: Opened) => unknown,
  [before, after]: [Hook, Hook] = [beforeAll, afterAll],
): Opened {
  let opened: Opened | undefined;
  const isOpen = (): Opened => {
    if (!opened) throw new Error('The object is open only while tests run');
    return opened;
  };
  before(async () => void (opened = await open()));
  after(async () => void (await close(isOpen())));
  return new Proxy({} as Opened, { get: (_, name): unknown => Reflect.get(isOpen(), name) });
}
