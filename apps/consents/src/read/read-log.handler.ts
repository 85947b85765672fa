import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { mustBeLogRequest } from '@xs2a/calls/checks';
import { QueryOf } from '@xs2a/calls/handlers';
import { type LogPage, readConsentLog } from '@xs2a/contracts/timeline.contract';
import { readLogPage } from '@xs2a/resources/log-page';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';

/** The console's page Live. */
export class ReadLog extends QueryOf(readConsentLog) {}

@QueryHandler(ReadLog)
export class ReadLogHandler implements IQueryHandler<ReadLog> {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  async execute({ request }: ReadLog): Promise<LogPage> {
    mustBeLogRequest(request);
    return readLogPage(this.pool, 'consents', request);
  }
}
