import { codeOf, edited, execution, leaveOpen, otherAmount, request, resolving, withOptions } from './memory-bench';
import { sendWithinLimit } from './send-within-limit';

let open: ReturnType<typeof execution>;
beforeEach(() => void (open = execution()));

test("an execution's moved amount counts sent amounts in cents over all runs", () => {
  expect(open().movedCents).toBe(0);
  leaveOpen(open());
  leaveOpen(open({ runIndex: 1 }), request(otherAmount));
  expect(open({ runIndex: 2 }).movedCents).toBe(500);
  open().done(request(), [{}]);
  open().end(true);
  expect(open().movedCents).toBe(500);
});

test("an execution's moved amount excludes requests that were not applied or never recorded", () => {
  leaveOpen(open());
  leaveOpen(open(), withOptions({ unknownOutcome: 'resend' }));
  expect(open().movedCents).toBe(400);
  open().notApplied(request());
  open().notApplied(request({ part: 7 }));
  expect(open().movedCents).toBe(200);
});

test("an execution's moved amount excludes requests that move nothing", () => {
  leaveOpen(open(), request({ values: { ...request().values, body: { label: 'a' } } }));
  expect(open.stored()).not.toHaveProperty('moved');
  expect(open.text()).not.toContain('"cents":');
});

test('the total includes sent and repeated items of all runs, except items that were not applied', () => {
  leaveOpen(open());
  expect(open().movedCents).toBe(200);
  leaveOpen(open({ runIndex: 1 }), request(otherAmount));
  expect(open().movedCents).toBe(500);
  open().notApplied(request());
  expect(open().movedCents).toBe(300);
  open().notApplied(request());
  expect(open().movedCents).toBe(300);
  leaveOpen(open({ runIndex: 1 }), withOptions({ unknownOutcome: 'resend' }, otherAmount));
  open({ runIndex: 1 }).end(true);
  expect(open().movedCents).toBe(600);
});

test('still counts a completed item that the user resolved as not applied after an edit', () => {
  leaveOpen(open());
  leaveOpen(open(), withOptions({ unknownOutcome: 'resend' }));
  open().done(request(), [{}]);
  const code = codeOf(open(edited), request(otherAmount));
  open(edited).recall(resolving(code, 'notApplied', otherAmount));
  expect(open().movedCents).toBe(400);
});

test('excludes an attempt that the user states was not applied', () => {
  leaveOpen(open());
  leaveOpen(open(), withOptions({ unknownOutcome: 'resend' }));
  expect(open().movedCents).toBe(400);
  const unknown = codeOf(open());
  open().recall(resolving(unknown, 'notApplied'));
  expect(open().movedCents).toBe(0);
  leaveOpen(open());
  open().done(request(), [{}]);
  const code = codeOf(open(edited), request(otherAmount));
  open(edited).recall(resolving(code, 'notApplied', otherAmount));
  expect(open().movedCents).toBe(200);
});

test('the moved amount stays the same after a completed write, and is 0 if the write was not applied', () => {
  expect(open().moved(request())).toBe(0);
  leaveOpen(open());
  expect(open().moved(request())).toBe(200);
  const code = codeOf(open());
  open().recall(resolving(code, 'notApplied'));
  expect(open().moved(request())).toBe(0);
  open().done(request(), [{}]);
  expect(open().moved(request())).toBe(200);
});

test('the moved amount stays the same if the user states that the write was applied', () => {
  leaveOpen(open());
  const code = codeOf(open());
  open().recall(resolving(code, 'applied'));
  expect(open().moved(request())).toBe(200);
});

test("a request over the limit per execution isn't sent or recorded", () => {
  const limited = (item: number) => withOptions({ limitPerExecution: 3 }, { items: [item] });
  expect(sendWithinLimit(open(), limited(0))).toBeUndefined();
  expect(sendWithinLimit(open(), limited(1))).toMatchObject({ outcome: 'invalid' });
  expect(open().recall(limited(1))).toBeUndefined();
  expect(open().movedCents).toBe(200);
});
