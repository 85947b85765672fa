import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { SystemUser } from './postgres-user.js';

/** The user to run the process as, if not the current one. */
export interface RunAs extends SystemUser {
  /**
   * True if the user cannot enter a folder on the path to its data (such as a checkout under /root); the process
   * is then permitted to read there.
   */
  readonly needsAccess: boolean;
}
export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment; defaults to that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Standard output and standard error are appended here. */
  readonly logFile: string;
  readonly runAs?: RunAs;
  /** The signal that the kernel sends to the child when this process dies without stopping it (Linux). */
  readonly orphanSignal?: 'TERM' | 'INT' | 'KILL';
}
export interface Child {
  readonly pid: number;
  /** Settles once the process has ended. */
  readonly exited: Promise<void>;
  readonly isAlive: () => boolean;
  kill(signal: NodeJS.Signals): void;
  /** Sends the signal and waits for the process to end; sends SIGKILL after `graceMs`. */
  stop(signal: NodeJS.Signals, graceMs: number): Promise<void>;
}

/** All running children, so that none remains when this process ends. */
const live = new Map<Child, 'TERM' | 'INT' | 'KILL'>();
let ending = false;
process.once('exit', () => {
  for (const [child, signal] of live) child.kill(`SIG${signal}`);
});

/** Stops every child, including those still starting, and prevents new ones. */
export const endAllChildren = async (graceMs: number): Promise<void> => {
  ending = true;
  await Promise.all(
    [...live].map(([child, signal]) => child.stop(signal === 'INT' ? 'SIGINT' : 'SIGTERM', graceMs)),
  );
};

const setpriv =
  process.platform === 'linux' && existsSync('/usr/bin/setpriv') ? '/usr/bin/setpriv' : undefined;

/**
 * `setpriv` (util-linux) drops privileges, ties the child's life to this process and then executes the command
 * under the same pid.
 */
const withPrivileges = (options: ChildOptions): { command: string; args: readonly string[] } => {
  if (setpriv === undefined) return options;
  const { runAs } = options;
  const user = runAs ? [`--reuid=${runAs.uid}`, `--regid=${runAs.gid}`, '--clear-groups'] : [];
  const access = runAs?.needsAccess ? ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'] : [];
  return {
    command: setpriv,
    args: [
      `--pdeathsig=${options.orphanSignal ?? 'TERM'}`,
      ...user,
      ...access,
      '--',
      options.command,
      ...options.args,
    ],
  };
};

/** Starts a process and writes its output to a log file. A failed start appears as an early exit. */
export const startChild = (options: ChildOptions): Child => {
  if (ending) throw new Error('this process is ending and cannot start others');
  mkdirSync(dirname(options.logFile), { recursive: true });
  const log = openSync(options.logFile, 'a');
  const { command, args } = withPrivileges(options);
  const identity =
    setpriv === undefined && options.runAs ? { uid: options.runAs.uid, gid: options.runAs.gid } : {};
  const child: ChildProcess = spawn(command, args, {
    stdio: ['ignore', log, log],
    env: options.env ?? process.env,
    // A separate process group: Ctrl-C in the terminal reaches only the runner, which then stops its children in order.
    detached: true,
    ...identity,
  });
  closeSync(log);
  let alive = true;
  const exited = new Promise<void>((resolve) => {
    const gone = (): void => {
      alive = false;
      live.delete(handle);
      resolve();
    };
    child.once('exit', gone);
    child.once('error', gone);
  });
  const kill = (signal: NodeJS.Signals): void => {
    if (alive) child.kill(signal);
  };
  const stop = async (signal: NodeJS.Signals, graceMs: number): Promise<void> => {
    kill(signal);
    const timer = new AbortController();
    // The wait is aborted once the process has ended.
    await Promise.race([exited, wait(graceMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
    kill('SIGKILL');
    await exited;
  };
  const handle: Child = { pid: child.pid ?? 0, exited, isAlive: () => alive, kill, stop };
  live.set(handle, options.orphanSignal ?? 'TERM');
  return handle;
};

/** The command line of a running process; undefined when no process has that pid. */
export const readCommand = (pid: number): string | undefined => {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() || undefined;
    } catch {
      return undefined;
    }
  }
  return (
    spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).stdout.trim() || undefined
  );
};

/** Polls until the check passes, the child has ended, or `limitMs` has passed. */
export const untilReady = async (
  child: Child,
  limitMs: number,
  isReady: () => boolean | Promise<boolean>,
  everyMs = 15,
): Promise<'ready' | 'gone' | 'late'> => {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    if (!child.isAlive()) return 'gone';
    if (await isReady()) return 'ready';
    await wait(everyMs);
  }
  return 'late';
};

/** The last lines of a log, for the error message of a failed start. */
export const readTail = (logFile: string, lines = 12): string => {
  try {
    return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '';
  }
};
