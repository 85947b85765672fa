// Runs programs, and records the duration of each step.
import { spawn } from 'node:child_process';

/** Runs a program to its end. Returns its output. Throws its last lines if it fails. */
export const run = async (program, args, { env = {}, cwd } = {}) => {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let all = '';
  child.stdout.on('data', (data) => {
    output += data;
    all += data;
  });
  child.stderr.on('data', (data) => (all += data));
  const [code] = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...end) => resolve(end));
  });
  if (code !== 0) throw new Error(`${program} ${args.slice(0, 4).join(' ')} …: ${all.trim().slice(-8000)}`);
  return output.trim();
};

const times = [];

/** Runs a step, prints its duration, and records that for the table at the end. */
export const step = async (name, work) => {
  const started = performance.now();
  process.stdout.write(`… ${name}\n`);
  const answer = await work();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  times.push([name, seconds]);
  process.stdout.write(`✓ ${name}: ${seconds} s\n`);
  return answer;
};

export const formatTimes = () =>
  times.map(([name, seconds]) => `${seconds.padStart(8)} s  ${name}`).join('\n');
