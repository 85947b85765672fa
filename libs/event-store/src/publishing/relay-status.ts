import type { Logger } from '@xs2a/observability/logger';
import { counter } from '@xs2a/observability/metrics';
import { ForeignStream, saysNoRoom, saysNoStream } from './jetstream-copy.js';

/** A failure of this instance no longer counts once another one has led for this many milliseconds. */
const followsAfterMs = 1000;
const failures = counter('xs2a_relay_failures_total', 'Times that publishing had to start over', [
  'resource',
]);

/** Stores the reason why a relay does not publish, for the health check, the log and the failure metric. */
export class RelayStatus {
  private problem: unknown;

  constructor(
    private readonly resource: string,
    private readonly logger: Logger,
  ) {}

  /** `error` is the reason why publishing restarts, or undefined once publishing continues. */
  report(error: unknown): void {
    const { logger, resource } = this;
    const again = this.problem !== undefined;
    this.problem = error;
    if (error !== undefined) failures.inc({ resource });
    if (error instanceof ForeignStream) {
      logger.error({ error, resource }, 'relay: refused to publish to a stream with a different history');
    } else if (error !== undefined && !again) {
      logger.warn({ error, resource }, 'relay: restarting');
    }
  }

  /** Returns a function to call whenever another instance leads; after a while it clears this one's failure. */
  follower(): () => void {
    const since = performance.now();
    return () => {
      if (performance.now() - since > followsAfterMs) this.report(undefined);
    };
  }

  /** Throws while the stream does not belong to this database, so that nothing is published. */
  check(): void {
    if (this.problem instanceof ForeignStream) throw this.problem;
  }

  /** The reason why nothing is published now. */
  degraded(): string | undefined {
    if (this.problem === undefined) return undefined;
    return `events are stored but not published${toReason(this.problem)}`;
  }
}

const toReason = (problem: unknown): string => {
  if (saysNoRoom(problem)) return ': JetStream’s storage is full';
  return saysNoStream(problem) ? ': JetStream has no such stream, run the migration job' : '';
};
