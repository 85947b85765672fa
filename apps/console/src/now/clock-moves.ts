import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@xs2a/runtime/clock';

/** A part of the bank's time that passed at once, in epoch milliseconds. */
interface Move {
  readonly fromMs: number;
  readonly toMs: number;
}
/** The most moves that are remembered. */
const mostMoves = 1000;

/**
 * The moves of the sandbox clock, so that what became due by a move does not look late. Outside a sandbox there are none. Moves
 * from before this process started are not known one by one: all time before its start then counts as moved.
 */
@Injectable()
export class ClockMoves implements OnApplicationBootstrap, OnApplicationShutdown {
  private moves: readonly Move[] = [];
  private offsetMs = 0;
  private latestRealMs: number | undefined;
  private unsubscribe: (() => void) | undefined;

  constructor(private readonly clock: Clock) {}

  onApplicationBootstrap(): void {
    const { offsetMs } = this.clock;
    if (offsetMs > 0) this.moves = [{ fromMs: 0, toMs: this.clock.nowMs() }];
    this.offsetMs = offsetMs;
    this.unsubscribe = this.clock.onChange(() => this.note());
  }

  onApplicationShutdown(): void {
    this.unsubscribe?.();
  }

  /** Returns how much of a period of the bank's time, in epoch milliseconds, passed by moves of the clock. */
  readonly movedWithin = (fromMs: number, toMs: number): number =>
    this.moves.reduce(
      (sum, move) => sum + Math.max(0, Math.min(toMs, move.toMs) - Math.max(fromMs, move.fromMs)),
      0,
    );

  /** The real time in milliseconds since the clock was moved; undefined if this process saw no move. */
  get sinceMoveMs(): number | undefined {
    return this.latestRealMs === undefined ? undefined : this.clock.realMs - this.latestRealMs;
  }

  private note(): void {
    const { realMs, offsetMs } = this.clock;
    const move = { fromMs: realMs + this.offsetMs, toMs: realMs + offsetMs };
    this.moves = [...this.moves, move].slice(-mostMoves);
    this.offsetMs = offsetMs;
    this.latestRealMs = realMs;
  }
}
