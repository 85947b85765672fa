import { root } from '@xs2a/runtime/release';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
type Env = Readonly<Record<string, string>>;

/** Starts the built command as a process, for the sandbox in a data folder. */
export const launch = (dataDir: string, args: readonly string[], env: Env = {}): ChildProcess =>
  spawn(process.execPath, [join(root, 'tools/sandbox/dist/xs2a.js'), ...args], {
    env: {
      PATH: process.env.PATH,
      XS2A_DATA_DIR: dataDir,
      NODE_COMPILE_CACHE: join(root, '.xs2a/compile-cache'),
      // Tests move the clock by months, not years.
      PAYMENTS_ARCHIVED_AFTER_MONTHS: '2',
      CONSENTS_ARCHIVED_AFTER_MONTHS: '2',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

export const ended = async (child: ChildProcess): Promise<Ran> => {
  const said = { stdout: '', stderr: '' };
  child.stdout?.on('data', (data: Buffer) => (said.stdout += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (said.stderr += data.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...said };
};

/** Runs the command as an operator of the sandbox in a data folder, and records all its output. */
export const makeOperator = (dataDir: string) => {
  const said: Ran[] = [];
  const xs2a = async (...args: readonly string[]): Promise<Ran> => {
    const ran = await ended(launch(dataDir, args));
    said.push(ran);
    return ran;
  };
  const json = async <Value>(...args: readonly string[]): Promise<Value[]> =>
    parseValues<Value>(await xs2a(...args, '--json'));
  const oneJson = async <Value>(...args: readonly string[]): Promise<Value> => {
    const [value] = await json<Value>(...args);
    if (value === undefined) throw new Error('it answered nothing');
    return value;
  };
  return { xs2a, json, oneJson, said };
};

/**
 * Returns the JSON values in the output, one per line. Throws the error output if there are none and the command
 * failed.
 */
export const parseValues = <Value>({ stdout, stderr, code }: Ran): Value[] => {
  if (stdout === '' && code !== 0) throw new Error(stderr);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Value);
};
