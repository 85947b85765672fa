import { makeAssets } from '@xs2a/messaging/jetstream-assets';
import { connectOnce } from '@xs2a/messaging/connection';
import { megabytes, optional, readConfig, url } from '@xs2a/runtime/config';

/**
 * The migration job of NATS: makes the event streams and key-value buckets of all services, and bounds the streams. Runs
 * with each release, and again after a NATS that lost its files.
 */
const settings = readConfig({
  MIGRATION_NATS_URL: url(),
  PAYMENTS_STREAM_MAX_MB: optional(megabytes()),
  CONSENTS_STREAM_MAX_MB: optional(megabytes()),
});
const nats = await connectOnce(settings.MIGRATION_NATS_URL, 'migration');
try {
  const { changed, refused } = await makeAssets(nats, {
    payments: settings.PAYMENTS_STREAM_MAX_MB,
    consents: settings.CONSENTS_STREAM_MAX_MB,
  });
  for (const line of changed) process.stdout.write(`${line}\n`);
  for (const line of refused) process.stderr.write(`JetStream has no room for it: ${line}\n`);
  if (refused.length > 0) process.exitCode = 1;
} finally {
  await nats.close();
}
