import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { type KeyReport, readConsentKeys } from '@xs2a/contracts/console/key.contract';
import { reportMasterKeys } from '@xs2a/custody/personal-data/master-key-report';
import type { StoreSettings } from '@xs2a/resources/store-options';
import { CONFIG, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';

/** The query for the names and states of the master keys of the consents service. It returns no key material. */
export class ReadKeys extends QueryOf(readConsentKeys) {}

@QueryHandler(ReadKeys)
export class ReadKeysHandler implements IQueryHandler<ReadKeys> {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONFIG) private readonly settings: StoreSettings,
  ) {}

  async execute(): Promise<readonly KeyReport[]> {
    return reportMasterKeys(this.pool, this.settings.MASTER_KEYS);
  }
}
