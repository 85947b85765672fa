import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { type EventStreamReport, readPaymentStream } from '@xs2a/contracts/console/event-stream.contract';
import { readEventStream } from '@xs2a/resources/event-stream-report';
import type { ServiceParts } from '@xs2a/runtime/service-parts';
import { POOL, STREAMS } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';

/** The query for the report on the JetStream stream to which the payments service publishes its events. */
export class ReadEventStream extends QueryOf(readPaymentStream) {}

@QueryHandler(ReadEventStream)
export class ReadEventStreamHandler implements IQueryHandler<ReadEventStream> {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(STREAMS) private readonly nats: ServiceParts['streams'],
  ) {}

  async execute(): Promise<EventStreamReport> {
    const { pool, nats } = this;
    return readEventStream('payments', { nats, pool });
  }
}
