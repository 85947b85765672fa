import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { canonicalJson } from '@xs2a/event-store/streams/hash-chain';

// The file format: one JSON value per line, with the whole file compressed with zstd. The first line is the
// head. It is followed by ranges of the log in position order, each with the hash of the log before the
// range, the range's events, and the hash after it. The last line is the manifest. `kind` is the type of a
// line.

export interface ArchiveHead {
  readonly kind: 'head';
  readonly format: 'xs2a-archive-1';
  readonly resource: string;
  /** `2027-03`. */
  readonly month: string;
  readonly part: number;
}

/** An event with its position. Hashes are in hex. */
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
  /** True for the last event of its stream. */
  readonly last?: true;
}

/** The last line of the file: the counts, and a digest of all lines before it. */
export interface ArchiveManifest {
  readonly kind: 'manifest';
  readonly streams: number;
  readonly events: number;
  readonly ranges: number;
  readonly firstPos: number;
  readonly lastPos: number;
  /** SHA-256 of all preceding lines, in hex. */
  readonly sha256: string;
}

export type ArchiveLine =
  | ArchiveHead
  /** The start of a range of the log, with the hash of the log up to the position before the range. */
  | { readonly kind: 'range'; readonly before: string }
  | ArchivedEvent
  /** An anchor of the log that the service stored at the event before this line. */
  | { readonly kind: 'anchor'; readonly pos: number; readonly hash: string }
  /** The end of a range, with the hash of the log up to the event before this line. */
  | { readonly kind: 'end'; readonly pos: number; readonly hash: string }
  | ArchiveManifest;

/** An archive contains TPPs, amounts and times, and any personal data stored before encryption was introduced. */
const ownerOnly = 0o600;

/** Writes these lines to a file that only its owner may read, then the manifest, and syncs it to disk. */
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
    // A file left by an interrupted run keeps the permissions with which it was created.
    await file.chmod(ownerOnly);
    await file.sync();
  } finally {
    await file.close();
  }
};

/** Thrown if the file is not an archive or has changed since it was written. The message is for an operator. */
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

/** Yields the lines of a file, parsed and as text. Throws {@link BrokenArchive} if it cannot be read. */
export async function* readArchive(path: string): AsyncGenerator<{ line: ArchiveLine; text: string }> {
  const file = createReadStream(path);
  const plain = createZstdDecompress();
  const flow = pipeline(file, plain);
  // The same error is thrown when the lines are read below.
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

/** Returns the SHA-256 of the file on disk, in hex. */
export const fileDigest = async (path: string): Promise<string> => {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer);
  return digest.digest('hex');
};
