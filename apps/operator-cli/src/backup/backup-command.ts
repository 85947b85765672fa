import { Command } from 'commander';
import { alone, within } from '../command-line/command-run.js';
import { xs2a } from '../command-line/own-name.js';
import { Refusal } from '../command-line/refusal.js';
import { bytesText } from '../doctor/storage.js';
import { type BackupManifest, manifestFile } from './manifest.js';

const manifestText = (file: string, { takenAt, bytes, anchors, server }: BackupManifest): string =>
  [
    `✓ ${file}: ${bytesText(bytes)} of PostgreSQL ${server.split(' ')[0]} as it was at ${takenAt}; ${manifestFile(file)}`,
    `  After a restore: ${xs2a(['events verify', ...anchors.map((anchor) => `--trust ${anchor}`)].join(' '))}`,
  ].join('\n');

const verifyCommand = (): Command =>
  new Command('verify')
    .argument('<file>', 'that `backup --to` wrote')
    .description(
      'reads a backup to its end: its digest, and whether pg_restore can read it; needs no servers',
    )
    .action(
      alone<object, [string]>(async (_, output, file) => {
        const { verifyBackup } = await import('./verify-backup.js');
        const manifest = await verifyBackup(file);
        output.show(manifest, manifestText(file, manifest));
        return 0;
      }),
    );

/** `backup`: the whole database in a file, by pg_dump. */
export const backupCommand = (): Command =>
  new Command('backup')
    .description(
      'writes the whole database to a file by pg_dump, and a manifest next to it; services keep running',
    )
    .option('--to <file>', 'that is not there yet')
    .action(
      within<{ to?: string }, []>(async ({ connections, output, options: { to } }) => {
        if (to === undefined) throw new Refusal(`Say where to: ${xs2a('backup --to FILE')}`, 2);
        const { backUp } = await import('./back-up.js');
        const manifest = await backUp(connections, to);
        output.show(manifest, manifestText(to, manifest));
      }),
    )
    .addCommand(verifyCommand());
