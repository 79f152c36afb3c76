/** Labels of the options that check a write. */
export const GUARDS = {
  allowAgent: 'Allow AI Agent',
  allowEqual: 'Allow Repeated Payments',
  ifExists: 'If It Already Exists',
  unknownOutcome: 'If the Outcome Is Unknown',
  oncePerKey: 'Once per Key',
  limitPerItem: 'Limit per Item',
  limitPerDay: 'Limit per Day',
  limitPerExecution: 'Limit per Execution',
  onlyFor: 'Allowed IDs',
  previewOnly: 'Preview Only',
  testEnvironmentOnly: 'Test Environment Only',
  resolve: 'Resolve Items',
} as const;

export type Guard = keyof typeof GUARDS;

const isGuard = (name: string): name is Guard => name in GUARDS;

export const GUARD_NAMES: readonly Guard[] = Object.keys(GUARDS).filter(isGuard);
