import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addCpu, cpuPerRequest, cpuSeconds, type CpuTimes, type Part } from './cpu-time.js';
import type { LoadPlan, LoadResult, LoadTurn } from './load-plan.js';

export interface Measured extends LoadResult {
  readonly cpu: CpuTimes;
  /** The latencies at the shares of the measured rate that were asked for ({@link Measurement.openLoop}). */
  readonly openLoop?: readonly OpenLoop[];
}

/** The latencies at a given rate. */
export interface OpenLoop extends Pick<LoadResult, 'p50' | 'p99' | 'p999' | 'late' | 'answered'> {
  /** The share of the rate that the same connections reach when each sends as fast as it is answered. */
  readonly share: number;
  readonly problem?: string | undefined;
}

/** Returns why the figures are invalid, or undefined if every response had the expected status. */
export const problemOf = (...measured: readonly Measured[]): string | undefined => {
  const wrong = measured.find(({ unexpected, answered }) => unexpected > 0 || answered === 0);
  return wrong && `${wrong.unexpected} unexpected answers: ${wrong.firstUnexpected ?? 'none came'}`;
};

/** Runs a plan, and measures the processor time of the processes that serve it. */
export const measure = async (plan: LoadPlan, parts: readonly Part[]): Promise<Measured> => {
  const measurement = new Measurement(plan, parts);
  try {
    await measurement.warmUp(plan.warmUpSeconds);
    return await measurement.turn(plan.seconds);
  } finally {
    measurement.end();
  }
};

/** A plan run in turns by a load generator in a separate process, whose connections stay open between turns. */
export class Measurement {
  private readonly folder = mkdtempSync(join(tmpdir(), 'xs2a-load-'));
  private readonly generator: ChildProcess;
  /** Processor seconds used during the turns, and the number of requests sent. */
  private spent: ReadonlyMap<string, number> = new Map();
  private asked = 0;
  private sent = 0;

  constructor(
    plan: LoadPlan,
    private readonly parts: readonly Part[],
  ) {
    const file = join(this.folder, 'plan.json');
    writeFileSync(file, JSON.stringify(plan));
    this.generator = fork(join(import.meta.dirname, 'generator.js'), [file], { execArgv: [] });
  }

  /** Warms up. Only the numbers of requests sent and of unexpected responses are counted. */
  async warmUp(seconds: number): Promise<void> {
    this.sent = (await this.run({ seconds, counts: 'nothing' })).sent;
  }

  /** Runs a turn. Returns the total of all turns so far. */
  async turn(seconds: number): Promise<Measured> {
    const before = cpuSeconds(this.parts);
    const result = await this.run({ seconds, counts: 'with-others' });
    this.spent = addCpu(this.spent, before, cpuSeconds(this.parts));
    this.asked += result.sent - this.sent;
    this.sent = result.sent;
    return { ...result, cpu: cpuPerRequest(this.spent, this.asked) };
  }

  /** Runs a turn by itself with this share of a rate. The requests start when they are due, however long others take. */
  async openLoop(share: number, perSecond: number, seconds: number): Promise<OpenLoop> {
    const { sent } = this;
    const result = await this.run({ seconds, counts: 'by-itself', pace: share * perSecond });
    this.sent = result.sent;
    const { p50, p99, p999, late, answered, exhausted } = result;
    const problem = exhausted ? `the requests ended after ${result.sent - sent}` : result.firstUnexpected;
    return { share, p50, p99, p999, late, answered, problem };
  }

  end(): void {
    this.generator.removeAllListeners();
    this.generator.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Fails if the generator process fails or takes much longer than planned. */
  private async run(turn: LoadTurn): Promise<LoadResult> {
    const { generator } = this;
    const timer = setTimeout(() => generator.kill('SIGKILL'), (turn.seconds + 20) * 1000);
    try {
      return await new Promise<LoadResult>((resolve, reject) => {
        generator.once('message', (message) => resolve(message as LoadResult));
        generator.once('exit', (code, signal) =>
          reject(new Error(`the load generator exited with ${signal ?? code}`)),
        );
        generator.send(turn);
      });
    } finally {
      clearTimeout(timer);
      generator.removeAllListeners();
    }
  }
}
