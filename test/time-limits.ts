/** Shortens the time limits of responses. The limits pass in real time, even if the time of a test is simulated. */
export function timeLimitsAre(milliseconds: number): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  beforeAll(() => void jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(milliseconds)));
  afterAll(() => jest.restoreAllMocks());
}
