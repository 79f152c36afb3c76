/** Billing frequencies with the service's values (service.md#plans). */
export const FREQUENCIES = [
  { name: 'Daily', value: 7 },
  { name: 'Weekly', value: 0 },
  { name: 'Bi-Weekly', value: 1, description: 'Every two weeks' },
  { name: 'Monthly', value: 3 },
  { name: 'Quarterly', value: 4 },
  { name: 'Semi-Annually', value: 5, description: 'Twice a year' },
  { name: 'Annually', value: 6 },
] as const;
