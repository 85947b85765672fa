// One line for each spec file that takes its time, and what failed in it, when it ends.
import { relative } from 'node:path';

export default class Lines {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onTestResult({ path }, { perfStats, numFailingTests, testExecError, failureMessage }) {
    const passed = numFailingTests === 0 && testExecError === undefined;
    const seconds = ((perfStats.end - perfStats.start) / 1000).toFixed(1);
    // The pure ones are many and quick.
    if (passed && process.env.TIER === 'unit') return;
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${relative(this.rootDir, path)} (${seconds} s)`);
    if (!passed && failureMessage) console.log(failureMessage.slice(-20_000));
  }
}
