import { setTimeout as wait } from 'node:timers/promises';

/** A process as returned by its starter. */
export interface Running {
  readonly pid: number;
  readonly exited: Promise<void>;
  kill(signal?: NodeJS.Signals): void;
  stop(): Promise<void>;
}
export type Progress = (line: string) => void;

export interface SupervisedOptions<Process extends Running> {
  readonly name: string;
  /** Resolves when the process is ready; the start is aborted when `signal` aborts. */
  readonly start: (signal: AbortSignal) => Promise<Process>;
  /** Whether to restart the process when it exits by itself. */
  readonly restart: boolean;
  readonly onProgress: Progress;
  /** Called after each start, including restarts. */
  readonly onStarted: () => void;
}

const maxPauseMs = 5000;
/** A process that has run for this long is healthy, so the next pause before a restart is short again. */
const healthyMs = 10_000;

/**
 * A sandbox process that is kept running: an unexpected exit is reported, and the process is restarted after
 * increasing pauses.
 */
export class Supervised<Process extends Running = Running> {
  private process: Process | undefined;
  private wanted = false;
  private pauseMs = 100;
  private startedAt = 0;
  private repairing: Promise<void> = Promise.resolve();
  private interrupted = new AbortController();

  constructor(private readonly options: SupervisedOptions<Process>) {}

  get name(): string {
    return this.options.name;
  }

  /** The process id; 0 while the process is down. */
  get pid(): number {
    return this.process?.pid ?? 0;
  }

  /** Returns the running process; throws while it is down. */
  get current(): Process {
    if (this.process === undefined) throw new Error(`${this.name} is not running`);
    return this.process;
  }

  async start(): Promise<void> {
    this.wanted = true;
    this.interrupted = new AbortController();
    await this.launch();
  }

  /**
   * Kills the process as in a crash; it is restarted if the sandbox restarts processes. Throws if it is already
   * down.
   */
  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.current.kill(signal);
  }

  /** Stops the process cleanly; it is not restarted. */
  async stop(): Promise<void> {
    this.wanted = false;
    this.interrupted.abort();
    await this.repairing;
    await this.process?.stop();
    this.process = undefined;
  }

  /** Kills the process as in a crash; it is not restarted. */
  async abandon(): Promise<void> {
    this.wanted = false;
    this.interrupted.abort();
    await this.repairing;
    const { process } = this;
    process?.kill('SIGKILL');
    await process?.exited;
    this.process = undefined;
  }

  /** Continues with another process in place of one that was stopped or abandoned. */
  adopt(process: Process): void {
    this.wanted = true;
    this.interrupted = new AbortController();
    this.keep(process);
  }

  /** Hands the running process over to the caller, who must stop it. */
  release(): Process {
    const { current } = this;
    this.wanted = false;
    this.process = undefined;
    return current;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  private async launch(): Promise<void> {
    const process = await this.options.start(this.interrupted.signal);
    if (!this.wanted) return process.stop();
    this.keep(process);
  }

  private keep(process: Process): void {
    this.process = process;
    this.startedAt = performance.now();
    this.options.onStarted();
    void this.watch(process);
  }

  private async watch(process: Process): Promise<void> {
    await process.exited;
    if (this.process !== process) return;
    this.process = undefined;
    if (!this.wanted) return;
    if (!this.options.restart) {
      this.options.onProgress(`${this.name} has ended`);
      return;
    }
    if (performance.now() - this.startedAt > healthyMs) this.pauseMs = 100;
    this.repairing = this.repair();
  }

  private async repair(): Promise<void> {
    const { signal } = this.interrupted;
    while (this.wanted) {
      this.options.onProgress(`${this.name} has ended; starting it again`);
      // If the pause is interrupted, the next line decides whether to continue.
      await wait(this.pauseMs, undefined, { signal }).catch(() => undefined);
      this.pauseMs = Math.min(this.pauseMs * 2, maxPauseMs);
      if (!this.wanted) return;
      try {
        await this.launch();
        if (this.wanted) this.options.onProgress(`${this.name} is back`);
        return;
      } catch (error) {
        this.options.onProgress(`${this.name} does not start: ${firstLine(error)}`);
      }
    }
  }
}

export const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
