import { JetStreamApiCodes } from '@nats-io/jetstream';
import type { Logger } from '@xs2a/observability/logger';

interface Consumed {
  readonly stream: string;
  readonly durable: string;
  readonly logger: Logger;
}

/** Reports to the health check why a consumer is stalled, and logs each stall and recovery. */
export class ConsumerStatus {
  private current: string | undefined;

  constructor(private readonly consumed: Consumed) {}

  /** Why nothing is being consumed, or undefined if everything is working. */
  get problem(): string | undefined {
    return this.current;
  }

  /** `error` is the failure, or undefined after a success. */
  report(error: unknown): void {
    const { logger, durable } = this.consumed;
    const before = this.current;
    this.current = this.describeProblem(error);
    if (this.current === before) return;
    if (this.current === undefined) logger.info({ consumer: durable }, 'consuming events again');
    else logger.warn({ error, consumer: durable }, this.current);
  }

  private describeProblem(error: unknown): string | undefined {
    if (error === undefined) return undefined;
    const { stream, durable } = this.consumed;
    return isMissing(error)
      ? `${stream} or its consumer ${durable} is missing: run the migration job`
      : 'events are not consumed';
  }
}

const missing = new Set<unknown>([JetStreamApiCodes.StreamNotFound, JetStreamApiCodes.ConsumerNotFound]);
const isMissing = (error: unknown): boolean => missing.has(Reflect.get(Object(error), 'code'));
