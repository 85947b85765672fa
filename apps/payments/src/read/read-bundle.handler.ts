import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { mustBeId } from '@xs2a/calls/checks';
import { QueryOf } from '@xs2a/calls/handlers';
import { type BundleEvents, readBundleEvents } from '@xs2a/contracts/dispute-bundle.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { readStoredEvents } from '@xs2a/resources/dispute-bundle/stored-events';
import type { StoreSettings } from '@xs2a/resources/store-options';
import { CONFIG, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';

/** The events of a payment for a dispute bundle, which the caller records before. */
export class ReadBundle extends QueryOf(readBundleEvents) {}

@QueryHandler(ReadBundle)
export class ReadBundleHandler implements IQueryHandler<ReadBundle> {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONFIG) private readonly settings: StoreSettings,
  ) {}

  async execute({ request }: ReadBundle): Promise<BundleEvents> {
    const { paymentId, after } = request;
    mustBeId(paymentId, 'paymentId');
    if (!Number.isSafeInteger(after) || after < 0)
      throw callFailed('fieldMalformed', 'after', 'Send a version.');
    return readStoredEvents(this.pool, this.settings.MASTER_KEYS, { paymentId, after });
  }
}
