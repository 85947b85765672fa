import { Inject, Injectable } from '@nestjs/common';
import { type DatabaseReport, readDatabase } from '@xs2a/contracts/console/database.contract';
import type { ServiceName } from '@xs2a/contracts/services';
import { measureDatabase } from '@xs2a/runtime/database/measure-database';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { migrations } from '../migrations/index.js';
import { type Part, Parts } from '../parts/parts.js';

/** The report of each service that has a database, or the name of the part that did not answer. */
export type DatabaseReports = readonly (readonly [ServiceName, Part<DatabaseReport>])[];

/** Written out, so that a test can compare the calls that the console makes with its NATS permissions. */
const asked = [
  ['auth', readDatabase.auth],
  ['consents', readDatabase.consents],
  ['accounts', readDatabase.accounts],
  ['payments', readDatabase.payments],
  ['settlement-worker', readDatabase['settlement-worker']],
  ['notifications', readDatabase.notifications],
] as const;

/** Asks each service for a report on its database. If one does not answer, the reports of the others are still shown. */
@Injectable()
export class Databases {
  constructor(
    private readonly parts: Parts,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  async read(): Promise<DatabaseReports> {
    const own = measureDatabase(
      this.pool,
      migrations.map(({ name }) => name),
    );
    const others = asked.map(async ([service, call]) => [service, await this.parts.ask(call, {})] as const);
    return Promise.all([...others, own.then((answer) => ['console', { answer }] as const)]);
  }
}
