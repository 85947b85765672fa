import { Clock } from '@xs2a/runtime/clock';
import { chaosCommand, fileToSum, WrongUsage } from './command-line.js';
import { holds, reportText } from './report.js';
import { runChaos } from './run.js';
import { appendCounts, readCounts, tallyText } from './tally.js';

const say = (line: string): void => console.error(line);

const main = async (): Promise<number> => {
  const file = fileToSum(process.argv.slice(2));
  if (file !== undefined) {
    const runs = readCounts(file);
    console.log(tallyText(runs));
    return runs.every((run) => run.holds) ? 0 : 1;
  }
  const { json, appendTo, ...options } = chaosCommand(
    process.argv.slice(2),
    new Clock(false).nowMs() % 1_000_000,
  );
  const { seed, seconds, cluster } = options;
  say(`seed ${seed}, ${seconds} s, ${cluster ? 'three NATS servers' : 'one NATS server'}`);
  const report = await runChaos({ ...options, say });
  if (appendTo !== undefined) appendCounts(appendTo, report);
  console.log(json ? JSON.stringify(report, undefined, 2) : `\n${reportText(report)}`);
  return holds(report) ? 0 : 1;
};

try {
  process.exit(await main());
} catch (error) {
  if (error instanceof WrongUsage) say(`${error.message}. Run: npm run chaos -- --help`);
  else say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}
