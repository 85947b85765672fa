import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { type PastPayments, readPastPayments } from '@xs2a/contracts/console/past-payments.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { countPastPayments } from './past-payments.js';

/** The figures of the console's page Now as they were. */
export class ReadPastPayments extends QueryOf(readPastPayments) {}

@QueryHandler(ReadPastPayments)
export class ReadPastPaymentsHandler implements IQueryHandler<ReadPastPayments> {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  async execute({ request: { at } }: ReadPastPayments): Promise<PastPayments> {
    const atMs = typeof at === 'string' ? Date.parse(at) : Number.NaN;
    if (Number.isNaN(atMs)) throw callFailed('fieldMalformed', 'at', 'Send an instant.');
    return countPastPayments(this.pool, atMs);
  }
}
