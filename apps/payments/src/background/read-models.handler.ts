import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { type ReadModelReport, readPaymentModels } from '@xs2a/contracts/console/read-model.contract';
import type { Profile } from '@xs2a/domain/profile/profile';
import { readModelReport } from '@xs2a/event-store/projections/read-model-report';
import { resources } from '@xs2a/resources/resources';
import { POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { paymentProjections } from './projections/payment-projections.js';

/** The query for the log position that each read model of the payments service has read up to, and for its latest rebuild. */
export class ReadPaymentModels extends QueryOf(readPaymentModels) {}

@QueryHandler(ReadPaymentModels)
export class ReadPaymentModelsHandler implements IQueryHandler<ReadPaymentModels> {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  async execute(): Promise<readonly ReadModelReport[]> {
    const projections = paymentProjections(this.profile.timeZone);
    const views = resources.payments.views.map(({ table }) => table);
    return readModelReport(this.pool, { projections, views });
  }
}
