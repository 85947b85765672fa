import { chaosCommand, usage, WrongUsage } from './command-line.js';
import { holds, reportText } from './report.js';
import { runChaos } from './run.js';

const say = (line: string): void => console.error(line);

const main = async (): Promise<number> => {
  const { seed, seconds, cluster, json, keepIn } = chaosCommand(
    process.argv.slice(2),
    Date.now() % 1_000_000,
  );
  say(`seed ${seed}, ${seconds} s, ${cluster ? 'three NATS servers' : 'one NATS server'}`);
  const report = await runChaos({
    seed,
    seconds,
    cluster,
    say,
    ...(keepIn === undefined ? {} : { keepIn }),
  });
  console.log(json ? JSON.stringify(report, undefined, 2) : `\n${reportText(report)}`);
  return holds(report) ? 0 : 1;
};

try {
  process.exit(await main());
} catch (error) {
  if (error instanceof WrongUsage) say(`${error.message}\n${usage}`);
  else say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}
