import { Refusal } from '../command-line/refusal.js';
import { checkClient, runClient } from './client-programs.js';
import { type BackupManifest, digestFile, readManifest } from './manifest.js';

/**
 * Reads a backup to the end and verifies that it is the file that was written and that pg_restore can read all of
 * it. This does not prove that the backup can be restored into a database. Throws {@link Refusal} if the file does
 * not match its manifest.
 */
export const verifyBackup = async (file: string): Promise<BackupManifest> => {
  const manifest = readManifest(file);
  const { bytes, sha256 } = await digestFile(file).catch((error: Error) => {
    throw new Refusal(`${file} cannot be read: ${error.message}`, 2);
  });
  if (bytes !== manifest.bytes)
    throw new Refusal(`✗ ${file} has ${bytes} bytes; it had ${manifest.bytes} when it was written.`);
  if (sha256 !== manifest.sha256)
    throw new Refusal(`✗ ${file} has changed since it was written: its digest differs.`);
  await checkClient('pg_restore', manifest.server);
  await runClient('pg_restore', ['--file=/dev/null', file]);
  return manifest;
};
