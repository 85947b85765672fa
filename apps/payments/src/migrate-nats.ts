import { makeAssetsAt } from '@xs2a/nats/jetstream-assets';
import { flag, megabytes, natsUrl, optional, readConfig } from '@xs2a/runtime/config';

/**
 * Settings of the migration job of NATS, which makes the event streams and key-value buckets of all services and bounds the
 * streams. It runs with each release, and again after a NATS that lost its files.
 */
const settings = readConfig({
  SANDBOX: flag(false),
  MIGRATION_NATS_URL: natsUrl(),
  PAYMENTS_STREAM_MAX_MB: optional(megabytes()),
  CONSENTS_STREAM_MAX_MB: optional(megabytes()),
});
const { changed, refused } = await makeAssetsAt(settings.MIGRATION_NATS_URL, {
  payments: settings.PAYMENTS_STREAM_MAX_MB,
  consents: settings.CONSENTS_STREAM_MAX_MB,
});
for (const line of changed) process.stdout.write(`${line}\n`);
// No reason to hold services up: a stream without this bound works, and doctor warns when its storage fills.
for (const line of refused) process.stderr.write(`JetStream has no room for it: ${line}\n`);
