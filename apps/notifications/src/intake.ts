import { readConsentNotifications, readPaymentNotifications } from '@xs2a/contracts/notifications.contract';
import type { CallClient } from '@xs2a/calls/client';
import type { Logger } from '@xs2a/observability/logger';
import type { Clock } from '@xs2a/runtime/clock';
import { Sweep } from '@xs2a/runtime/sweep';
import type { NotificationTable } from './notification-table.js';

const everyMs = 250;
/** The services whose changes are sent to TPPs, by the names under which their checkpoints are kept. */
const sources = { payments: readPaymentNotifications, consents: readConsentNotifications } as const;
type Source = keyof typeof sources;

export interface IntakeOptions {
  readonly table: NotificationTable;
  readonly callClient: CallClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onStored: () => void;
}

/**
 * Follows the logs of the services whose changes are sent to TPPs: reads what comes behind the checkpoint, and stores it
 * together with the new one, so that nothing is left out and nothing comes twice.
 */
export class Intake {
  private readonly sweeps: readonly Sweep[];
  private readonly down = new Set<Source>();

  constructor(private readonly options: IntakeOptions) {
    this.sweeps = (Object.keys(sources) as Source[]).map((source) => this.follow(source));
    for (const sweep of this.sweeps) sweep.start();
  }

  degraded(): string | undefined {
    return this.down.size === 0 ? undefined : `what changed cannot be read: ${[...this.down].join(', ')}`;
  }

  async stop(): Promise<void> {
    await Promise.all(this.sweeps.map(async (sweep) => sweep.stop()));
  }

  private follow(source: Source): Sweep {
    const { table, callClient, clock, logger, onStored } = this.options;
    let after: number | undefined;
    return new Sweep({
      name: `notification intake of ${source}`,
      everyMs,
      clock,
      logger,
      run: async () => {
        after ??= await table.checkpoint(source);
        const { notifications, next } = await callClient.call(sources[source], { after });
        if (next === after) return 0;
        await table.store(source, notifications, next);
        after = next;
        if (notifications.length > 0) onStored();
        return 1;
      },
      onState: (error) => {
        if (error === undefined) this.down.delete(source);
        else this.down.add(source);
      },
    });
  }
}
