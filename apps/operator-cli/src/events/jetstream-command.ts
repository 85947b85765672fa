import { makeAssets } from '@xs2a/nats/jetstream-assets';
import { restoreProfile } from '../euro/profile-change.js';
import { defineCommand } from '../command-line/define-command.js';
import { option, streamMegabytes } from '../command-line/options.js';
import { Refusal } from '../command-line/refusal.js';

const bytes = (megabytes: number | undefined): number | undefined =>
  megabytes === undefined ? undefined : megabytes * 1_000_000;

/** The command that does the work of NATS's migration job manually. */
export const makeStreams = defineCommand({
  name: 'make',
  help: 'creates missing streams and buckets, as the migration job does; repeatable',
  options: {
    paymentsMaxMb: option(
      '<megabytes>',
      'size limit of the stream PAYMENTS, which keeps its newest events',
      streamMegabytes,
    ),
    consentsMaxMb: option('<megabytes>', 'the same for CONSENTS', streamMegabytes),
  },
  run: async ({ connections, output, options }) => {
    const made = await makeAssets(await connections.nats(), {
      payments: bytes(options.paymentsMaxMb),
      consents: bytes(options.consentsMaxMb),
    });
    const report = { ...made, changed: [...made.changed, ...(await restoreProfile(connections))] };
    const lines = [
      ...report.changed.map((line) => `✓ ${line}`),
      ...report.refused.map((line) => `✗ JetStream does not have enough storage: ${line}`),
    ];
    output.show(report, lines.length === 0 ? '✓ everything exists' : lines.join('\n'));
    if (report.refused.length > 0) throw new Refusal('The stream keeps its size limit.');
  },
});
