import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Refusal } from '../command-line/refusal.js';
import { type BackupManifest, digestFile, manifestFile } from './manifest.js';

const unfinishedFile = (file: string): string => `${file}.unfinished`;

/** Throws {@link Refusal} if the backup files cannot be written or would overwrite existing files. */
export const refuseTarget = (file: string): void => {
  for (const one of [file, manifestFile(file)])
    if (existsSync(one)) throw new Refusal(`${one} already exists; a backup does not overwrite files.`, 2);
  const unfinished = unfinishedFile(file);
  if (existsSync(unfinished))
    throw new Refusal(
      `${unfinished} exists: another backup is writing it, or one was interrupted; in that case remove it.`,
      2,
    );
  if (!existsSync(dirname(file)) || !statSync(dirname(file)).isDirectory())
    throw new Refusal(`There is no folder ${dirname(file)}.`, 2);
};

const forceToDisk = (path: string): void => {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/**
 * Writes a backup under temporary names. The manifest is renamed last, once both files are on disk, so a backup
 * with a manifest is always complete, even after a power failure. If an error occurs, no files are left behind.
 */
export const writeBackup = async (
  file: string,
  dump: (unfinished: string) => Promise<Omit<BackupManifest, 'bytes' | 'sha256'>>,
): Promise<BackupManifest> => {
  const unfinished = unfinishedFile(file);
  const unfinishedManifest = unfinishedFile(manifestFile(file));
  // If another backup is being written to the same file, this call fails.
  writeFileSync(unfinished, '', { mode: 0o600, flag: 'wx' });
  try {
    const manifest = { ...(await dump(unfinished)), ...(await digestFile(unfinished)) };
    writeFileSync(unfinishedManifest, `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 });
    for (const path of [unfinished, unfinishedManifest]) forceToDisk(path);
    renameSync(unfinished, file);
    renameSync(unfinishedManifest, manifestFile(file));
    forceToDisk(dirname(file));
    return manifest;
  } finally {
    for (const path of [unfinished, unfinishedManifest]) rmSync(path, { force: true });
  }
};
