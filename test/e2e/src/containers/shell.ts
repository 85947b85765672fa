// Runs programs and records the duration of each step.
import { spawn } from 'node:child_process';

/** Runs a program until it exits. Returns its output. If it fails, throws an error with its last lines. */
export const run = async (
  program: string,
  args: readonly string[],
  { env = {}, cwd }: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Promise<string> => {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let all = '';
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString();
    all += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => (all += data.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${program} ${args.slice(0, 4).join(' ')} …: ${all.trim().slice(-8000)}`);
  return output.trim();
};

const times: { readonly name: string; readonly seconds: string }[] = [];

/** Runs a step, prints its duration, and records the duration for the table at the end. */
export const step = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
  const started = performance.now();
  process.stdout.write(`… ${name}\n`);
  const answer = await work();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  times.push({ name, seconds });
  process.stdout.write(`✓ ${name}: ${seconds} s\n`);
  return answer;
};

export const formatTimes = (): string =>
  times.map(({ name, seconds }) => `${seconds.padStart(8)} s  ${name}`).join('\n');
