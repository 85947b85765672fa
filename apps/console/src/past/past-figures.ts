import { Injectable } from '@nestjs/common';
import { type PastPayments, readPastPayments } from '@xs2a/contracts/console/past-payments.contract';
import { Clock } from '@xs2a/runtime/clock';
import { CallDays } from '../calls/call-days.js';
import { CallGroups, type CallVolume } from '../calls-pages/call-groups.js';
import { ClockMoves } from '../now/clock-moves.js';
import { windowMs } from '../now/thresholds.js';
import { type Part, Parts } from '../parts/parts.js';

/** The figures of the page Now as they were at a moment. */
export interface PastFigures {
  /** The bank's time, in epoch milliseconds. */
  readonly atMs: number;
  readonly payments: Part<PastPayments>;
  /** The calls of the five minutes until then, or why they are not known. */
  readonly calls: CallVolume | 'not-kept' | 'clock-moved';
}

/** Computes past figures from what is stored: the events of payments, and the rows of calls. */
@Injectable()
export class PastFiguresReader {
  constructor(
    private readonly parts: Parts,
    private readonly groups: CallGroups,
    private readonly days: CallDays,
    private readonly clockMoves: ClockMoves,
    private readonly clock: Clock,
  ) {}

  async read(atMs: number): Promise<PastFigures> {
    const [payments, calls] = await Promise.all([
      this.parts.ask(readPastPayments, { at: new Date(atMs).toISOString() }),
      this.readCalls(atMs),
    ]);
    return { atMs, payments, calls };
  }

  /** Calls are kept in real time, which a moment of the bank's time identifies unless the sandbox clock was moved since. */
  private async readCalls(atMs: number): Promise<PastFigures['calls']> {
    const fromMs = atMs - windowMs;
    const nowMs = this.clock.nowMs();
    if (this.clockMoves.movedWithin(fromMs, nowMs) > 0) return 'clock-moved';
    const offsetMs = nowMs - this.clock.realMs;
    if (fromMs - offsetMs < this.days.oldestMs) return 'not-kept';
    return this.groups.between(new Date(fromMs - offsetMs), new Date(atMs - offsetMs));
  }
}
