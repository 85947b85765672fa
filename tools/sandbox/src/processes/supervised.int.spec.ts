import { afterAll, describe, expect, it } from '@jest/globals';
import { type Child, readCommand, startChild } from '@xs2a/local-servers/child';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataInUse, readHolder, takeLock } from './lock.js';
import { type Running, Supervised } from './supervised.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-supervised-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A real process that does nothing until it is stopped. */
const idle = async (): Promise<Running> => {
  const child: Child = startChild({ command: 'sleep', args: ['60'], logFile: join(folder, 'idle.log') });
  return {
    pid: child.pid,
    exited: child.exited,
    kill: (signal) => child.kill(signal ?? 'SIGKILL'),
    stop: () => child.stop('SIGTERM', 5000),
  };
};

/** The lines reported by a supervised process, and a promise that resolves with the next matching line. */
const listening = (): {
  readonly lines: string[];
  heard(line: string): Promise<void>;
  say(line: string): void;
} => {
  const lines: string[] = [];
  const waiting: { readonly line: string; readonly done: () => void }[] = [];
  return {
    lines,
    say: (line) => {
      lines.push(line);
      for (const one of waiting.filter((each) => each.line === line)) one.done();
    },
    heard: (line) =>
      new Promise((done) => {
        if (lines.includes(line)) done();
        else waiting.push({ line, done });
      }),
  };
};

const supervised = (restart: boolean, start = idle) => {
  const ear = listening();
  const one = new Supervised({
    name: 'idle',
    start,
    restart,
    onProgress: ear.say,
    onStarted: () => undefined,
  });
  return { ear, one };
};

describe('a supervised process', () => {
  it('is restarted after a kill -9, and its exit is reported', async () => {
    const { ear, one } = supervised(true);
    await one.start();
    const before = one.pid;
    one.kill();
    await ear.heard('idle is back');
    expect(one.pid).not.toBe(before);
    expect(readCommand(before)).toBeUndefined();
    await one.stop();
    expect(ear.lines).toEqual(['idle has ended; starting it again', 'idle is back']);
  });

  it('stays down until it is started explicitly if restarts are off', async () => {
    const { ear, one } = supervised(false);
    await one.start();
    one.kill();
    await ear.heard('idle has ended');
    expect(one.pid).toBe(0);
    expect(() => one.kill()).toThrow('idle is not running');
    await one.start();
    // Its command cannot be read until the new process has replaced the image of this one.
    expect(() => process.kill(one.pid, 0)).not.toThrow();
    await one.stop();
  });

  it('is not restarted after a stop, and no longer exists afterwards', async () => {
    const { ear, one } = supervised(true);
    await one.start();
    const { pid } = one;
    await one.stop();
    expect(readCommand(pid)).toBeUndefined();
    expect(ear.lines).toEqual([]);
  });

  it('is restarted again if a restart fails', async () => {
    let failures = 2;
    const { ear, one } = supervised(true, async () => {
      if (one.pid === 0 && ear.lines.length > 0 && failures > 0) {
        failures -= 1;
        throw new Error('not yet\nsecond line');
      }
      return idle();
    });
    await one.start();
    one.kill();
    await ear.heard('idle is back');
    expect(ear.lines.filter((line) => line === 'idle does not start: not yet')).toHaveLength(2);
    await one.stop();
  });
});

describe('the data folder lock', () => {
  it('is held only by a living process, and is released when that process ends', () => {
    const file = join(folder, 'data', 'lock.json');
    const release = takeLock(file);
    expect(readHolder(file)).toBe(process.pid);
    expect(() => takeLock(file)).toThrow(DataInUse);
    release();
    expect(readHolder(file)).toBeUndefined();
    takeLock(file)();
  });
});
