import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { listTpps } from '@xs2a/contracts/auth.contract';
import type { Logger } from '@xs2a/observability/logger';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { Clock } from '@xs2a/runtime/clock';
import { LOGGER } from '@xs2a/runtime/tokens';
import { LivePulses } from '@xs2a/doctor/live-pulses';
import { Parts } from '../parts/parts.js';

const lookedEveryMs = 1000;
/** Names seldom change, and a bank may know thousands of TPPs. */
const keptMs = 60_000;

/** Returns how a page names a TPP: by its name and its client id, or by its name where a link leads to the client id. */
export type NameOf = (tppId: string) => string;

/** The names of TPPs: at most a minute old, and read again soon after a TPP without a name was to be named. */
@Injectable()
export class TppNames implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly clock = new Clock(false);
  private readonly sweep: Sweep;
  private names: ReadonlyMap<string, string> = new Map();
  private readAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly parts: Parts,
    private readonly pulses: LivePulses,
    @Inject(LOGGER) logger: Logger,
  ) {
    const run = async (): Promise<number> => this.read();
    this.sweep = new Sweep({ name: 'names of TPPs', everyMs: lookedEveryMs, clock: this.clock, logger, run });
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  /** Returns `Name (client id)`, or the client id of a TPP whose name is not known yet. */
  readonly of: NameOf = (tppId) => {
    const name = this.short(tppId);
    return name === tppId ? tppId : `${name} (${tppId})`;
  };

  /** Returns the name, or the client id of a TPP whose name is not known yet. */
  readonly short: NameOf = (tppId) => {
    const name = this.names.get(tppId);
    // It was registered since the names were read.
    if (name === undefined) this.readAtMs = Number.NEGATIVE_INFINITY;
    return name ?? tppId;
  };

  /** Returns 0, because one answer has every name. A silent service is not asked. */
  private async read(): Promise<number> {
    const isHeard = this.pulses.running().some(({ service }) => service === 'auth');
    if (!isHeard || this.clock.nowMs() - this.readAtMs < keptMs) return 0;
    const { answer } = await this.parts.ask(listTpps, {});
    if (answer === undefined) return 0;
    this.names = new Map(answer.tpps.map(({ clientId, name }) => [clientId, name]));
    this.readAtMs = this.clock.nowMs();
    return 0;
  }
}
