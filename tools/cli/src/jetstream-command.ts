import { makeAssets } from '@xs2a/messaging/jetstream-assets';
import type { Command } from 'commander';
import { CommandGroup } from './command-group.js';
import { within } from './command-run.js';
import { wholeNumber } from './option-values.js';
import { Refusal } from './refusal.js';

const bytes = (megabytes: number | undefined): number | undefined =>
  megabytes === undefined ? undefined : megabytes * 1_000_000;

/** `jetstream make`: what the migration job of NATS does, by hand. */
export const jetStreamCommand = (): Command => {
  const group = new CommandGroup('jetstream').description('event streams and key-value buckets in NATS');
  group
    .command('make')
    .description('makes those that are missing, as the migration job does; repeatable')
    .option(
      '--payments-max-mb <megabytes>',
      'the stream PAYMENTS keeps its newest events up to here',
      wholeNumber,
    )
    .option('--consents-max-mb <megabytes>', 'the same for CONSENTS', wholeNumber)
    .action(
      within<{ paymentsMaxMb?: number; consentsMaxMb?: number }, []>(
        async ({ connections, output, options }) => {
          const report = await makeAssets(await connections.nats(), {
            payments: bytes(options.paymentsMaxMb),
            consents: bytes(options.consentsMaxMb),
          });
          output.show(
            report,
            report.changed.length === 0
              ? '✓ everything was there'
              : report.changed.map((line) => `✓ ${line}`).join('\n'),
          );
          if (report.refused.length > 0)
            throw new Refusal(`JetStream has no room for it: ${report.refused.join(', ')}`);
        },
      ),
    );
  return group;
};
