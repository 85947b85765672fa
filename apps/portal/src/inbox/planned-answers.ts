import type { KV, KvEntry } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { inboxFailureBucket } from '@xs2a/contracts/portal/inbox';
import { isWrittenMeanwhile, openBucket } from '@xs2a/nats/buckets';
import { STREAMS } from '@xs2a/runtime/tokens';
import { type Failure, storedName } from './inbox-entries.js';

/** The next answers of an inbox. */
export interface Plan {
  readonly failure: Failure;
  /** How many of the next answers fail. */
  readonly answers: number;
}
/** The largest number of answers that can be planned. */
export const maxAnswers = 10;

/** How often a change is repeated that another push overtook. */
const maxAttempts = 20;
/** The maximum time to wait for the bucket, in milliseconds. */
const answerMs = 1000;

/**
 * The answers with which TPPs let their inboxes fail on purpose. The instances of the portal share them in a key-value bucket,
 * which forgets a plan a day after its last change.
 */
@Injectable()
export class PlannedAnswers {
  private bucket: Promise<KV> | undefined;

  constructor(@Inject(STREAMS) private readonly nats: NatsConnection) {}

  /** Returns the plan of an inbox; undefined if it answers as usual. Rejects if the bucket cannot be read. */
  async read(id: string): Promise<Plan | undefined> {
    return planOf(await this.entry(id));
  }

  /** Replaces the plan of an inbox; without a plan, it answers as usual. Rejects if it is not stored. */
  async plan(id: string, plan: Plan | undefined): Promise<void> {
    await this.change(id, () => plan);
  }

  /** Takes one planned failure; undefined if none is planned. Of pushes at the same time, each takes its own. */
  async take(id: string): Promise<Failure | undefined> {
    let taken: Failure | undefined;
    await this.change(id, (known) => {
      taken = known?.failure;
      return known === undefined || known.answers === 1
        ? undefined
        : { ...known, answers: known.answers - 1 };
    });
    return taken;
  }

  /** Changes the plan, from what it is at that moment. */
  private async change(id: string, next: (known: Plan | undefined) => Plan | undefined): Promise<void> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const entry = await this.entry(id);
      const known = planOf(entry);
      const changed = next(known);
      if (known === undefined && changed === undefined) return;
      if (await this.put(id, changed, entry?.revision ?? 0)) return;
    }
    throw new Error('the plan of an inbox changes too often');
  }

  private async entry(id: string): Promise<KvEntry | undefined> {
    return (await (await this.open()).get(storedName(id))) ?? undefined;
  }

  /** Returns false if another push has changed the plan since this revision. */
  private async put(id: string, plan: Plan | undefined, previousSeq: number): Promise<boolean> {
    const value = plan === undefined ? '' : JSON.stringify(plan);
    try {
      await (await this.open()).put(storedName(id), value, { previousSeq, timeout: answerMs });
      return true;
    } catch (error) {
      if (isWrittenMeanwhile(error)) return false;
      throw error;
    }
  }

  private async open(): Promise<KV> {
    this.bucket ??= this.opened();
    return this.bucket;
  }

  /** A bucket that cannot be opened is tried again. */
  private async opened(): Promise<KV> {
    try {
      return await openBucket(this.nats, inboxFailureBucket);
    } catch (error) {
      this.bucket = undefined;
      throw error;
    }
  }
}

const planOf = (entry: KvEntry | undefined): Plan | undefined => {
  const value = entry?.string() ?? '';
  return value === '' ? undefined : (JSON.parse(value) as Plan);
};
