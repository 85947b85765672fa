import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { EventResource } from '@xs2a/contracts/published-event';
import { canonicalJson } from '../streams/hash-chain.js';

// The file: JSON, one value a line, compressed as a whole by zstd. The head; then ranges of the log in order of position, each
// with the hash of the log before it, its events, and the hash behind it; then the manifest. `kind` says what a line is.

export interface ArchiveHead {
  readonly kind: 'head';
  readonly format: 'xs2a-archive-1';
  readonly resource: EventResource;
  /** `2027-03`. */
  readonly month: string;
  readonly part: number;
}

/** An event with its position; hashes are hex. */
export interface ArchivedEvent {
  readonly kind: 'event';
  readonly pos: number;
  readonly streamId: string;
  readonly version: number;
  readonly eventId: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly occurredAt: string;
  readonly data: unknown;
  readonly meta: unknown;
  readonly prevHash: string;
  readonly hash: string;
  /** True of the last event of its stream. */
  readonly last?: true;
}

/** The last line: counts, and the digest of all lines before it. */
export interface ArchiveManifest {
  readonly kind: 'manifest';
  readonly streams: number;
  readonly events: number;
  readonly ranges: number;
  readonly firstPos: number;
  readonly lastPos: number;
  /** SHA-256 of the lines before, hex. */
  readonly sha256: string;
}

export type ArchiveLine =
  | ArchiveHead
  /** A range of the log begins: the hash of the log up to the position before it. */
  | { readonly kind: 'range'; readonly before: string }
  | ArchivedEvent
  /** The service kept this anchor of the log when it was at the event before this line. */
  | { readonly kind: 'anchor'; readonly pos: number; readonly hash: string }
  /** The range ends: the hash of the log up to the event before this line. */
  | { readonly kind: 'end'; readonly pos: number; readonly hash: string }
  | ArchiveManifest;

/** An archive names TPPs, amounts and times, and what was stored before personal data were encrypted. */
const ownerOnly = 0o600;

/** Writes a file of these lines, and behind them the manifest, whose digest it adds; forces it to the disk. Only its owner may read it. */
export const writeArchive = async (
  path: string,
  lines: AsyncIterable<Exclude<ArchiveLine, ArchiveManifest>>,
  manifest: () => Omit<ArchiveManifest, 'kind' | 'sha256'>,
): Promise<void> => {
  const digest = createHash('sha256');
  async function* texts(): AsyncGenerator<string> {
    for await (const line of lines) {
      const text = `${canonicalJson(line)}\n`;
      digest.update(text);
      yield text;
    }
    yield `${canonicalJson({ kind: 'manifest', ...manifest(), sha256: digest.digest('hex') })}\n`;
  }
  await pipeline(Readable.from(texts()), createZstdCompress(), createWriteStream(path, { mode: ownerOnly }));
  const file = await open(path, 'r+');
  try {
    // A file that an interrupted run left keeps the rights with which it was made.
    await file.chmod(ownerOnly);
    await file.sync();
  } finally {
    await file.close();
  }
};

/** The file is no archive, or not what was written. The message is for an operator. */
export class BrokenArchive extends Error {
  override readonly name = 'BrokenArchive';
}

const kinds: ReadonlySet<unknown> = new Set(['head', 'range', 'event', 'anchor', 'end', 'manifest']);

const parseLine = (text: string): ArchiveLine => {
  const line: unknown = JSON.parse(text);
  if (typeof line === 'object' && line !== null && kinds.has(Reflect.get(line, 'kind')))
    return line as ArchiveLine;
  throw new SyntaxError('unknown kind of line');
};

/** The lines of a file with their text, one after the other. Throws {@link BrokenArchive} where it cannot be read. */
export async function* readArchive(path: string): AsyncGenerator<{ line: ArchiveLine; text: string }> {
  const file = createReadStream(path);
  const plain = createZstdDecompress();
  const flow = pipeline(file, plain);
  // The lines below end with the same error.
  flow.catch(() => undefined);
  try {
    for await (const text of createInterface({ input: plain, crlfDelay: Infinity }))
      yield { line: parseLine(text), text };
    await flow;
  } catch (error) {
    throw new BrokenArchive(
      `${path} cannot be read as an archive: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    file.destroy();
    plain.destroy();
  }
}

/** SHA-256 of the file as it lies on the disk, hex. */
export const fileDigest = async (path: string): Promise<string> => {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer);
  return digest.digest('hex');
};
