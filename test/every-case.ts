/** One of the fields identifies the test case in a failure message. */
type Case = string | { path?: string; at?: string; name?: string; key?: string; word?: string };

/** Returns the names of the test cases that break a rule, each with the reason. */
export async function offendersIn<One extends Case>(
  cases: readonly One[],
  check: (one: One) => unknown,
): Promise<string[]> {
  const offenders: string[] = [];
  for (const one of cases)
    try {
      await check(one);
    } catch (error) {
      offenders.push(`${nameOf(one)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  return offenders;
}

function nameOf(one: Case): string {
  if (typeof one === 'string') return one;
  return [one.name, one.path, one.at, one.key, one.word].filter((part) => part !== undefined).join(' ');
}

export const testEvery =
  <One extends Case>(cases: readonly One[]) =>
  (rule: string, check: (one: One) => unknown): void =>
    test(rule, async () => {
      expect(cases.length).toBeGreaterThan(0);
      const offenders = await offendersIn(cases, check);
      if (offenders.length > 0)
        throw new Error(`${offenders.length} of ${cases.length} cases break the rule:\n${offenders.join('\n')}`);
    });
