import { Refusal } from '../command-line/refusal.js';
import { checkClient, runClient } from './client-programs.js';
import { type BackupManifest, digestFile, readManifest } from './manifest.js';

/**
 * Reads a backup to its end: the file is the one that was written, and pg_restore can read all of it. Says nothing of whether it
 * fits a database; that a restore shows. Throws {@link Refusal} when it is not what its manifest says.
 */
export const verifyBackup = async (file: string): Promise<BackupManifest> => {
  const manifest = readManifest(file);
  const { bytes, sha256 } = await digestFile(file).catch((error: Error) => {
    throw new Refusal(`${file} cannot be read: ${error.message}`, 2);
  });
  if (bytes !== manifest.bytes)
    throw new Refusal(`✗ ${file} has ${bytes} bytes; it had ${manifest.bytes} when it was written.`);
  if (sha256 !== manifest.sha256)
    throw new Refusal(`✗ ${file} is not what was written: its digest is another one.`);
  await checkClient('pg_restore', manifest.server);
  await runClient('pg_restore', ['--file=/dev/null', file]);
  return manifest;
};
