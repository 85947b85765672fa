import { makeAssetsAt } from '@xs2a/nats/jetstream-assets';
import { natsMigrationConfig, readConfig } from '@xs2a/runtime/config';

const settings = readConfig(natsMigrationConfig);
const { changed, refused } = await makeAssetsAt(
  settings.MIGRATION_NATS_URL,
  { payments: settings.PAYMENTS_STREAM_MAX_MB, consents: settings.CONSENTS_STREAM_MAX_MB },
  { inboxes: settings.SANDBOX },
);
for (const line of changed) process.stdout.write(`${line}\n`);
// This is no reason to block the services: a stream without this limit works, and doctor warns when its
// storage fills up.
for (const line of refused) process.stderr.write(`JetStream does not have enough storage: ${line}\n`);
