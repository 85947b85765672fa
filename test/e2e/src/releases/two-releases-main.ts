import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runTwoReleases } from './two-releases.js';

const usage = `npm run two-releases -- --other-release FOLDER [--seconds N] [--keep FOLDER]
Upgrades a sandbox of its own from the release in FOLDER (a checkout, built: npm ci && npm run build) to this one under load,
rolls it back with the newer tables, and upgrades it again. Exit code 0 when no request failed.`;

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: {
      'other-release': { type: 'string' },
      seconds: { type: 'string', default: '10' },
      keep: { type: 'string' },
    },
  });
  const other = values['other-release'];
  if (other === undefined || !/^[1-9]\d{0,4}$/.test(values.seconds)) {
    console.error(usage);
    return 1;
  }
  const report = await runTwoReleases({
    other: resolve(other),
    seconds: Number(values.seconds),
    keepIn: values.keep === undefined ? undefined : resolve(values.keep),
    say: (line) => console.error(line),
  });
  for (const failure of report.failures) console.log(`failed: ${failure}`);
  console.log(`${report.payments} payments; ${report.failures.length} requests failed`);
  return report.failures.length === 0 ? 0 : 1;
};

process.exitCode = await main();
