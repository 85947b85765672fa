import { defineCommand } from '../command-line/define-command.js';
import { argument, option } from '../command-line/options.js';
import { xs2a } from '../command-line/own-name.js';
import { Refusal } from '../command-line/refusal.js';
import { bytesText } from '@xs2a/doctor/bytes';
import { type BackupManifest, manifestFile } from './manifest.js';

const manifestText = (file: string, { takenAt, bytes, anchors, server }: BackupManifest): string =>
  [
    `✓ ${file}: ${bytesText(bytes)} of PostgreSQL ${server.split(' ')[0]} as it was at ${takenAt}; ${manifestFile(file)}`,
    `  After a restore: ${xs2a(['events verify', ...anchors.map((anchor) => `--trust ${anchor}`)].join(' '))}`,
  ].join('\n');

const verify = defineCommand({
  name: 'verify',
  help: 'checks a whole backup: its digest, and whether pg_restore can read it; needs no servers',
  options: { file: argument('file that `backup --to` wrote') },
  isLocal: true,
  run: async ({ options: { file } }) => {
    const { verifyBackup } = await import('./verify-backup.js');
    return verifyBackup(file);
  },
  text: (manifest, { file }) => manifestText(file, manifest),
});

/** The command that writes the whole database to a file with pg_dump. */
export const backup = defineCommand({
  name: 'backup',
  help: 'writes the whole database to a file with pg_dump, and a manifest next to it; services keep running',
  options: { to: option('<file>', 'file to write; must not exist yet') },
  run: async ({ connections, options: { to } }) => {
    if (to === undefined) throw new Refusal(`Specify the file: ${xs2a('backup --to FILE')}`, 2);
    const { backUp } = await import('./back-up.js');
    return backUp(connections, to);
  },
  text: (manifest, { to = '' }) => manifestText(to, manifest),
}).addCommand(verify);
