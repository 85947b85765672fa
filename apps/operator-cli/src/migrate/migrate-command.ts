import { makeAssets } from '@xs2a/nats/jetstream-assets';
import { megabytes, optional, readConfig } from '@xs2a/runtime/config';
import { defineCommand } from '../command-line/define-command.js';

/**
 * The command that migrates the tables of every service to this release, one service at a time, and then the
 * streams, consumers and buckets.
 */
export const migrate = defineCommand({
  name: 'migrate',
  help: 'migrates the tables of every service and the streams in NATS to this release; repeatable',
  run: async ({ connections, output }) => {
    const bounds = readConfig({
      PAYMENTS_STREAM_MAX_MB: optional(megabytes()),
      CONSENTS_STREAM_MAX_MB: optional(megabytes()),
    });
    // Loaded on demand, because these modules load TypeORM and the migrations of every service.
    const { runMigrations } = await import('@xs2a/migrations/run-migrations');
    const { tables } = await import('./tables.js');
    /** The names of the migrations that ran, by schema. */
    const ran: Record<string, readonly string[]> = {};
    for (const { schema, migrations } of tables) {
      const names = await runMigrations({ url: connections.ownerDatabaseUrl, schema, migrations });
      ran[schema] = names;
      output.say(`✓ ${schema.padEnd(14)} ${names.join(', ') || 'up to date'}`);
    }
    const changes = await makeAssets(
      await connections.nats(),
      { payments: bounds.PAYMENTS_STREAM_MAX_MB, consents: bounds.CONSENTS_STREAM_MAX_MB },
      { inboxes: connections.hasSandboxRules },
    );
    return { ran, ...changes };
  },
  text: ({ changed, refused }) =>
    [
      `✓ ${'NATS'.padEnd(14)} ${changed.join(', ') || 'up to date'}`,
      // A stream without this limit still works, and doctor warns when its storage fills up, so the migration
      // continues.
      ...refused.map((line) => `! JetStream does not have enough storage: ${line}`),
    ].join('\n'),
});
