import { typeormDriver } from '@xs2a/postgres/typeorm-driver';
import type { Pool } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { OperatorEventEntity } from './actions/operator-event.entity.js';
import { CallBatchEntity } from './calls/call-batch.entity.js';
import { CallContentEntity } from './calls/call-content.entity.js';
import { CallEntity } from './calls/call.entity.js';
import { CallsLeftOutEntity } from './calls/calls-left-out.entity.js';
import { TppCertificateEntity } from './calls/tpp-certificate.entity.js';
import { Instance } from './instances/instance.entity.js';
import { JobItemEntity } from './jobs/job-item.entity.js';
import { JobEntity } from './jobs/job.entity.js';
import { StaffSessionEntity } from './staff/staff-session.entity.js';

/**
 * Runs TypeORM on the service's own connection pool, so that the service has one pool with one set of timeouts.
 * Migrations run in a separate job (migrate.ts), never here.
 */
export const dataSourceOptions = (pool: Pool): DataSourceOptions => ({
  type: 'postgres',
  driver: typeormDriver(pool),
  entities: [
    CallEntity,
    CallContentEntity,
    CallBatchEntity,
    CallsLeftOutEntity,
    Instance,
    JobEntity,
    JobItemEntity,
    OperatorEventEntity,
    StaffSessionEntity,
    TppCertificateEntity,
  ],
  synchronize: false,
  installExtensions: false,
  logging: false,
});
