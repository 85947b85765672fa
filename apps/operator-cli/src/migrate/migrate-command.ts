import { makeAssets } from '@xs2a/nats/jetstream-assets';
import { megabytes, optional, readConfig } from '@xs2a/runtime/config';
import { Command } from 'commander';
import { within } from '../command-line/command-run.js';
import type { Output } from '../command-line/output.js';
import type { Connections } from '../connections.js';
import { tables } from './tables.js';

interface Migrated {
  /** Names of migrations, by schema. */
  readonly ran: Readonly<Record<string, readonly string[]>>;
  /** Changes in NATS, a line each. */
  readonly changed: readonly string[];
  readonly refused: readonly string[];
}

/** Brings the tables of every service to this release, one service after the other, then the streams, consumers and buckets. */
const migrate = async (connections: Connections, output: Output): Promise<Migrated> => {
  const bounds = readConfig({
    PAYMENTS_STREAM_MAX_MB: optional(megabytes()),
    CONSENTS_STREAM_MAX_MB: optional(megabytes()),
  });
  // Loaded on demand: it brings TypeORM.
  const { runMigrations } = await import('@xs2a/migrations/run-migrations');
  const ran: Record<string, readonly string[]> = {};
  for (const { schema, migrations } of tables) {
    const names = await runMigrations({ url: connections.ownerDatabaseUrl, schema, migrations });
    ran[schema] = names;
    if (!output.json) output.show(undefined, `✓ ${schema.padEnd(14)} ${names.join(', ') || 'up to date'}`);
  }
  const { changed, refused } = await makeAssets(await connections.nats(), {
    payments: bounds.PAYMENTS_STREAM_MAX_MB,
    consents: bounds.CONSENTS_STREAM_MAX_MB,
  });
  return { ran, changed, refused };
};

/** `migrate` does the work of all migration jobs. */
export const migrateCommand = (): Command =>
  new Command('migrate')
    .description('migrates the tables of every service and the streams in NATS to this release; repeatable')
    .action(
      within<object, []>(async ({ connections, output }) => {
        const migrated = await migrate(connections, output);
        const { changed, refused } = migrated;
        // A stream without this bound works, and doctor warns when its storage fills: no reason to hold the release up.
        const lines = [
          `✓ ${'NATS'.padEnd(14)} ${changed.join(', ') || 'up to date'}`,
          ...refused.map((line) => `! JetStream has too little space for it: ${line}`),
        ];
        output.show(migrated, lines.join('\n'));
      }),
    );
