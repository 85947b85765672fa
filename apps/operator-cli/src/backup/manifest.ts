import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '../command-line/refusal.js';

/** The manifest of a backup: a JSON file next to the dump that says of which database and moment it is, and its digest. */
export interface BackupManifest {
  /** The version of the command that made it. */
  readonly release: string;
  /** The moment that the backup shows. */
  readonly takenAt: string;
  readonly server: string;
  readonly program: string;
  /** The logs at that moment, as `events verify --trust` takes them. */
  readonly anchors: readonly string[];
  readonly bytes: number;
  readonly sha256: string;
}

export const manifestFile = (backup: string): string => `${backup}.manifest.json`;

/** The size and SHA-256 of a file, read in pieces. */
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

/** Throws {@link Refusal} when the file is not there or is none. */
export const readManifest = (backup: string): BackupManifest => {
  const file = manifestFile(backup);
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Partial<BackupManifest>;
    if (typeof manifest.sha256 === 'string' && Array.isArray(manifest.anchors))
      return manifest as BackupManifest;
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${(error as Error).message}`, 2);
  }
  throw new Refusal(`${file} is no manifest of a backup.`, 2);
};
