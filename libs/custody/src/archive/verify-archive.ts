import { createHash, hash as hashOf } from 'node:crypto';
import { canonicalJson, chainHash, chainStart } from '@xs2a/event-store/streams/hash-chain';
import type { Anchor } from '@xs2a/event-store/verification/log-anchor';
import {
  type ArchivedEvent,
  type ArchiveHead,
  type ArchiveLine,
  type ArchiveManifest,
  BrokenArchive,
  readArchive,
} from './archive-file.js';

export interface VerifiedArchive {
  readonly head: ArchiveHead;
  readonly manifest: ArchiveManifest;
  /** The number of anchors that the service stored at positions in the file. All of them match the events. */
  readonly anchors: number;
  /** The number of `trusted` anchors at positions in the file. */
  readonly trusted: number;
}

/**
 * Reads a file and, without a database, verifies that each stream in it is complete and unchanged since it was
 * appended. Also verifies that the events lead from the hash of the log before each range to the hash after it,
 * through every anchor stored between them. Throws {@link BrokenArchive}. Memory use is bounded by the number of
 * streams open at a time. `trusted` are anchors stored elsewhere.
 */
export const verifyArchive = async (
  path: string,
  { trusted = [] }: { readonly trusted?: readonly Anchor[] } = {},
): Promise<VerifiedArchive> => {
  const check = new ArchiveCheck(path, trusted);
  for await (const { line, text } of readArchive(path)) check.take(line, text);
  return check.result();
};

class ArchiveCheck {
  private readonly digest = createHash('sha256');
  private readonly open = new Map<string, { readonly version: number; readonly hash: string }>();
  private head: ArchiveHead | undefined;
  private manifest: ArchiveManifest | undefined;
  private log: Anchor | undefined;
  private counts = { streams: 0, events: 0, ranges: 0, firstPos: 0, lastPos: 0 };
  private anchors = 0;
  private found = 0;

  constructor(
    private readonly path: string,
    private readonly trusted: readonly Anchor[],
  ) {}

  take(line: ArchiveLine, text: string): void {
    if (this.manifest !== undefined) this.fail('continues after its manifest');
    if ((this.head === undefined) !== (line.kind === 'head')) this.fail('does not begin with its head');
    if (line.kind === 'manifest') return this.takeManifest(line);
    this.digest.update(`${text}\n`);
    if (line.kind === 'head') this.head = line;
    else if (line.kind === 'range') this.begin(line.before);
    else if (line.kind === 'event') this.takeEvent(line);
    else this.takeHash(line);
  }

  result(): VerifiedArchive {
    const { head, manifest, anchors, found: trusted } = this;
    if (head === undefined || manifest === undefined) return this.fail('ends before its manifest');
    return { head, manifest, anchors, trusted };
  }

  private begin(before: string): void {
    if (this.log !== undefined) this.fail('begins a range inside another one');
    this.log = { pos: this.counts.lastPos, hash: before };
    this.counts.ranges += 1;
  }

  private takeEvent(event: ArchivedEvent): void {
    const { pos, streamId, version } = event;
    const where = `the event at position ${pos} (stream ${streamId}, version ${version})`;
    if (this.log === undefined || pos <= this.counts.lastPos) return this.fail(`has ${where} out of order`);
    const before = this.open.get(streamId);
    const expected = before?.hash ?? chainStart.toString('hex');
    if (version !== (before?.version ?? 0) + 1 || event.prevHash !== expected) {
      this.fail(`lacks the event before ${where}`);
    }
    const hash = chainHash(
      Buffer.from(event.prevHash, 'hex'),
      event,
      canonicalJson(event.data),
      canonicalJson(event.meta),
    ).toString('hex');
    if (hash !== event.hash) this.fail(`has different content from what was appended in ${where}`);
    if (event.last === true) this.open.delete(streamId);
    else this.open.set(streamId, { version, hash });
    this.log = { pos, hash: hashOf('sha256', `${this.log.hash} ${pos} ${hash}`) };
    if (version === 1) this.counts.streams += 1;
    if (this.counts.events === 0) this.counts.firstPos = pos;
    this.counts.events += 1;
    this.counts.lastPos = pos;
    const kept = this.trusted.filter((anchor) => anchor.pos === pos);
    for (const { hash: known } of kept) this.mustLeadTo(known);
    this.found += kept.length;
  }

  private takeHash({ kind, pos, hash }: { kind: 'anchor' | 'end'; pos: number; hash: string }): void {
    if (this.log?.pos !== pos)
      this.fail(`has a hash of the log at position ${pos}, which it does not contain`);
    this.mustLeadTo(hash);
    if (kind === 'anchor') this.anchors += 1;
    else this.log = undefined;
  }

  private mustLeadTo(hash: string): void {
    if (this.log?.hash !== hash)
      this.fail(`leads to a different log hash at position ${this.counts.lastPos} than was recorded`);
  }

  private takeManifest(manifest: ArchiveManifest): void {
    const { kind, sha256, ...counts } = manifest;
    if (sha256 !== this.digest.digest('hex')) this.fail(`does not match its ${kind}: the digest differs`);
    if (this.log !== undefined || this.open.size > 0) this.fail('lacks the end of a stream or of a range');
    if (canonicalJson(counts) !== canonicalJson(this.counts))
      this.fail(`does not match its ${kind}: ${canonicalJson(this.counts)}`);
    this.manifest = manifest;
  }

  private fail(what: string): never {
    throw new BrokenArchive(`${this.path} ${what}.`);
  }
}
