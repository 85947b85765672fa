import { makeAssets } from '@xs2a/nats/jetstream-assets';
import type { Command } from 'commander';
import { CommandGroup } from '../command-line/command-group.js';
import { within } from '../command-line/command-run.js';
import { streamMegabytes } from '../command-line/option-values.js';
import { Refusal } from '../command-line/refusal.js';

const bytes = (megabytes: number | undefined): number | undefined =>
  megabytes === undefined ? undefined : megabytes * 1_000_000;

/** `jetstream make` does by hand the work of NATS's migration job. */
export const jetStreamCommand = (): Command => {
  const group = new CommandGroup('jetstream').description('event streams and key-value buckets in NATS');
  group
    .command('make')
    .description('creates those that are missing, as the migration job does; repeatable')
    .option(
      '--payments-max-mb <megabytes>',
      'the stream PAYMENTS keeps its newest events up to here',
      streamMegabytes,
    )
    .option('--consents-max-mb <megabytes>', 'the same for CONSENTS', streamMegabytes)
    .action(
      within<{ paymentsMaxMb?: number; consentsMaxMb?: number }, []>(
        async ({ connections, output, options }) => {
          const report = await makeAssets(await connections.nats(), {
            payments: bytes(options.paymentsMaxMb),
            consents: bytes(options.consentsMaxMb),
          });
          const lines = [
            ...report.changed.map((line) => `✓ ${line}`),
            ...report.refused.map((line) => `✗ JetStream has too little space for it: ${line}`),
          ];
          output.show(report, lines.length === 0 ? '✓ everything exists' : lines.join('\n'));
          if (report.refused.length > 0) throw new Refusal('The stream keeps its bound.');
        },
      ),
    );
  return group;
};
