import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { inboxStream } from '@xs2a/contracts/portal/inbox';
import { STREAMS } from '@xs2a/runtime/tokens';
import { createHash } from 'node:crypto';

/** The headers of a push that an inbox keeps. */
export const keptHeaders = ['content-type', 'x-jws-signature', 'x-request-id', 'x-sandbox-clock'] as const;
type KeptHeader = (typeof keptHeaders)[number];

/** What an inbox received. Anybody who knows its address can send anything. */
export interface InboxEntry {
  /** When it came, as an ISO instant of the sandbox's clock. */
  readonly time: string;
  readonly headers: Readonly<Partial<Record<KeptHeader, string>>>;
  /** The bytes of the body, in base64url. */
  readonly body: string;
  /** What the inbox answered. */
  readonly answer: InboxAnswer;
}
type InboxAnswer = 'HTTP 204' | Failure;

/** How an inbox can fail on purpose: with 500, or without an answer within the time that the bank waits. */
export const failures = ['HTTP 500', 'no answer'] as const;
export type Failure = (typeof failures)[number];

/** The maximum time to wait for JetStream, in milliseconds. */
const answerMs = 1500;

/** The name of an inbox where entries are stored, so that the storage does not contain ids. */
export const storedName = (id: string): string => createHash('sha256').update(id).digest('hex');

const [prefix] = inboxStream.subjects.split('*');
const subjectOf = (id: string): string => `${prefix}${storedName(id)}`;

/** The entries of all inboxes, in a stream that the instances of the portal share and that limits their number and age. */
@Injectable()
export class InboxEntries {
  constructor(@Inject(STREAMS) private readonly nats: NatsConnection) {}

  /** Stores an entry. Rejects if JetStream does not confirm it. */
  async add(id: string, entry: InboxEntry): Promise<void> {
    await jetstream(this.nats).publish(subjectOf(id), JSON.stringify(entry), { timeout: answerMs });
  }

  /** Returns the entries of an inbox, newest first. Rejects if JetStream does not answer. */
  async list(id: string): Promise<readonly InboxEntry[]> {
    const { direct } = await jetstreamManager(this.nats, { checkAPI: false, timeout: answerMs });
    const entries: InboxEntry[] = [];
    let seq = 1;
    // More may come while these are read.
    while (entries.length < inboxStream.entriesKept) {
      const found = await direct.getMessage(inboxStream.name, { seq, next_by_subj: subjectOf(id) });
      if (found === null) break;
      entries.unshift(found.json<InboxEntry>());
      seq = found.seq + 1;
    }
    return entries;
  }
}
