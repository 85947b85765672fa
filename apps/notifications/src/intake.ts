import type { CallClient } from '@xs2a/calls/client';
import type { Logger } from '@xs2a/observability/logger';
import type { Clock } from '@xs2a/runtime/clock';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { LogReader, type Source, sources } from './log-reader.js';
import type { NotificationTable } from './notification-table.js';

const everyMs = 250;
/** Milliseconds between two attempts to read an unreadable resource. */
const readAgainMs = 5000;

export interface IntakeOptions {
  readonly table: NotificationTable;
  readonly callClient: CallClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onStored: () => void;
}

/** Follows the logs of the services whose changes are sent to TPPs, independently of each other. */
export class Intake {
  private readonly readers: readonly LogReader[];
  private readonly sweeps: readonly Sweep[];
  private readonly down = new Set<Source>();

  constructor(private readonly options: IntakeOptions) {
    const followed = (Object.keys(sources) as Source[]).map((source) => ({
      source,
      reader: new LogReader(source, options),
    }));
    this.readers = followed.map(({ reader }) => reader);
    this.sweeps = followed.flatMap(({ source, reader }) => this.follow(source, reader));
    for (const sweep of this.sweeps) sweep.start();
  }

  degraded(): string | undefined {
    if (this.down.size > 0) return `changes cannot be read: ${[...this.down].join(', ')}`;
    const unread = this.readers.reduce((sum, reader) => sum + reader.unread, 0);
    return unread === 0 ? undefined : `resources whose changes cannot be read: ${unread}`;
  }

  async stop(): Promise<void> {
    await Promise.all(this.sweeps.map(async (sweep) => sweep.stop()));
  }

  private follow(source: Source, reader: LogReader): Sweep[] {
    const { clock, logger } = this.options;
    return [
      new Sweep({
        name: `notification intake of ${source}`,
        everyMs,
        clock,
        logger,
        run: async () => ((await reader.readOn()) ? 1 : 0),
        onState: (error) => {
          if (error === undefined) this.down.delete(source);
          else this.down.add(source);
        },
      }),
      new Sweep({
        name: `notifications of ${source} that could not be read`,
        everyMs: readAgainMs,
        clock,
        logger,
        run: async () => ((await reader.readAgain()) ? 1 : 0),
      }),
    ];
  }
}
