import { Controller, Inject, type Type } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import type { Call } from '@xs2a/contracts/call';
import { type DatabaseReport, readDatabase } from '@xs2a/contracts/console/database.contract';
import type { ServiceName } from '@xs2a/contracts/services';
import type { Pool } from 'pg';
import { POOL } from '../tokens.js';
import { measureDatabase } from './measure-database.js';

type ReadDatabase = Call<Record<string, never>, DatabaseReport>;

const questions: Partial<Record<ServiceName, ReadDatabase>> = readDatabase;

/**
 * Returns the controller with which a service answers the console's question about its database; none for a service that
 * is not asked. `needed`: the names of its migrations.
 */
export const databaseControllers = (service: ServiceName, needed: readonly string[]): Type[] => {
  const question = questions[service];
  return question === undefined ? [] : [databaseController(question, needed)];
};

const databaseController = (question: ReadDatabase, needed: readonly string[]): Type => {
  @Controller()
  class DatabaseController {
    constructor(@Inject(POOL) private readonly pool: Pool) {}

    @Handles(question)
    async read(): Promise<DatabaseReport> {
      return measureDatabase(this.pool, needed);
    }
  }
  return DatabaseController;
};
