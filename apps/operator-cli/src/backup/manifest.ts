import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '../command-line/refusal.js';

/**
 * The manifest of a backup: a JSON file in the same directory as the dump. It contains the database, the point in
 * time and the digest of the dump.
 */
export interface BackupManifest {
  /** The version of the command that wrote the backup. */
  readonly release: string;
  /** The point in time that the backup represents. */
  readonly takenAt: string;
  readonly server: string;
  readonly program: string;
  /**
   * The positions and hashes at the end of the event logs at that point in time, in the format of `events verify
   * --trust`.
   */
  readonly anchors: readonly string[];
  readonly bytes: number;
  readonly sha256: string;
}

export const manifestFile = (backup: string): string => `${backup}.manifest.json`;

/** Computes the size and the SHA-256 hash of a file, which is read in chunks. */
export const digestFile = async (file: string): Promise<Pick<BackupManifest, 'bytes' | 'sha256'>> => {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(file), async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) {
      bytes += piece.length;
      hash.update(piece);
    }
  });
  return { bytes, sha256: hash.digest('hex') };
};

/** Throws {@link Refusal} if the file is missing or is not a manifest. */
export const readManifest = (backup: string): BackupManifest => {
  const file = manifestFile(backup);
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Partial<BackupManifest>;
    if (typeof manifest.sha256 === 'string' && Array.isArray(manifest.anchors))
      return manifest as BackupManifest;
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${(error as Error).message}`, 2);
  }
  throw new Refusal(`${file} is not the manifest of a backup.`, 2);
};
