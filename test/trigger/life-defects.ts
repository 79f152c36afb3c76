type Module = Record<string, unknown>;
type Change = (actual: Module) => Module;

const FOLDER = '../../nodes/PaymentPlatform/trigger';

/** Replaces a module for all code that is loaded later, until `jest.resetModules` and `jest.dontMock` restore it. */
function replace(name: string, change: Change): () => void {
  const path = `${FOLDER}/${name}`;
  jest.doMock(path, () => {
    const actual = jest.requireActual<Module>(path);
    return { ...actual, ...change(actual) };
  });
  return () => void jest.dontMock(path);
}

type Call = (...given: unknown[]) => unknown;

/** Defects of the trigger. Each function plants a defect and returns a function that removes it. */
export const LIFE_DEFECTS: Record<string, () => () => void> = {
  'the hooks of a node run in parallel': () =>
    replace('hooks', () => ({ inTurn: async (_context: unknown, hook: () => Promise<unknown>) => await hook() })),
  'a deactivation counts as the end of a failed activation': () =>
    replace('hooks', () => ({
      takeBack: async (_context: unknown, _failures: unknown, undo: () => Promise<unknown>) => await undo(),
    })),
  'an unreadable list counts as an empty list': () =>
    replace('service', ({ WebhookService, isUnreadable }) => {
      const { prototype } = WebhookService as { prototype: { list: () => Promise<unknown> } };
      const list = Reflect.get(prototype, 'list');
      prototype.list = async function () {
        const listed = await list.call(this);
        return !Array.isArray(listed) && (isUnreadable as Call)(listed) === true ? [] : listed;
      };
      return {};
    }),
  'a deactivation disables only listed webhooks': () =>
    replace('target', ({ listedAs }) => ({
      listedAs: (...given: unknown[]) => {
        const found = (listedAs as Call)(...given) as object[];
        return found.length > 0 ? found : [{ label: 'of another client' }];
      },
    })),
  'a deactivation disables webhooks of users': () =>
    replace('target', () => ({ own: (listed: unknown) => listed, isOthers: () => false })),
  'damaged static data is used': () =>
    replace('stored-data', () => ({
      readRegistrations: ({ registrations = {} }: { registrations?: object }) => Object.entries(registrations),
    })),
  'data that is no object is used': () =>
    replace('stored-data', () => ({
      staticDataOf: (context: { getWorkflowStaticData: Call }) => context.getWorkflowStaticData('node'),
    })),
  'overwritten static data is not restored': () =>
    replace('state', ({ TriggerState }) => {
      Object.assign((TriggerState as { prototype: object }).prototype, { restore: () => undefined });
      return {};
    }),
  'a caller of a lost webhook gets 401': () =>
    replace('verify', ({ verify }) => ({
      verify: async (...given: unknown[]) => {
        const verified = (await (verify as Call)(...given)) as { refusal?: { status: number } };
        return verified.refusal ? { refusal: { ...verified.refusal, status: 401 } } : verified;
      },
    })),
  'no one sees that a webhook was lost': () =>
    replace('verify', ({ verify }) => ({
      verify: async (...given: unknown[]) => {
        const verified = (await (verify as Call)(...given)) as { refusal?: object };
        return verified.refusal ? { refusal: { ...verified.refusal, problem: undefined } } : verified;
      },
    })),
};
