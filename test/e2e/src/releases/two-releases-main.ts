import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runTwoReleases } from './two-releases.js';

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '10' },
      keep: { type: 'string' },
    },
  });
  if (!/^[1-9]\d{0,4}$/.test(values.seconds)) {
    console.error('--seconds must be a whole number. Run: npm run two-releases -- --help');
    return 1;
  }
  const report = await runTwoReleases({
    seconds: Number(values.seconds),
    keepIn: values.keep === undefined ? undefined : resolve(values.keep),
    say: (line) => console.error(line),
  });
  for (const failure of report.failures) console.log(`failed: ${failure}`);
  console.log(
    `${report.payments} payments; signed events by version: ${JSON.stringify(report.signedByVersion)}; ${report.failures.length} requests failed`,
  );
  return report.failures.length === 0 ? 0 : 1;
};

process.exitCode = await main();
