// Prints a line for each slow spec file when it ends, and lists its failures.
import { relative } from 'node:path';

export default class Lines {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onTestResult({ path }, { perfStats, numFailingTests, testExecError, failureMessage }) {
    const passed = numFailingTests === 0 && testExecError === undefined;
    const seconds = ((perfStats.end - perfStats.start) / 1000).toFixed(1);
    // Unit specs are numerous and fast, so passed ones are not printed.
    if (passed && process.env.TIER === 'unit') return;
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${relative(this.rootDir, path)} (${seconds} s)`);
    if (!passed && failureMessage) console.log(failureMessage.slice(-20_000));
  }
}
