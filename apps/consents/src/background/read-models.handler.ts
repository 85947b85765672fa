import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { type ReadModelReport, readConsentModels } from '@xs2a/contracts/console/read-model.contract';
import { readModelReport } from '@xs2a/event-store/projections/read-model-report';
import { resources } from '@xs2a/resources/resources';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';

/** The query for the log position that each read model of the consents service has read up to, and for its latest rebuild. */
export class ReadConsentModels extends QueryOf(readConsentModels) {}

@QueryHandler(ReadConsentModels)
export class ReadConsentModelsHandler implements IQueryHandler<ReadConsentModels> {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  async execute(): Promise<readonly ReadModelReport[]> {
    const views = resources.consents.views.map(({ table }) => table);
    return readModelReport(this.pool, { projections: [], views });
  }
}
