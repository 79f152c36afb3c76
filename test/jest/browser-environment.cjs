/** Prints the pages of a failed test, and skips the remaining tests, which continue where the failed test stopped. */
const WorkerEnvironment = require('./environment.cjs');

class BrowserEnvironment extends WorkerEnvironment {
  async handleTestEvent({ name, test }) {
    if (name === 'test_start' && this.hasFailed) test.mode = 'skip';
    if (name !== 'test_fn_failure' && name !== 'hook_failure') return;
    // A failed beforeAll hook has no test. Jest then fails all tests of the file, unless they are skipped.
    this.hasFailed ||= test !== undefined;
    const pages = await this.global.describePages?.();
    if (pages) process.stderr.write(`\nPages of the failed test "${test?.name ?? name}":\n${pages}\n\n`);
  }
}

module.exports = BrowserEnvironment;
