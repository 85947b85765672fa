import type { KV, KvEntry } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import {
  type PlannedFault,
  plannedFaultBucket,
  type PlannedOutcome,
} from '@xs2a/contracts/sandbox/planned-faults';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { BucketFollower } from '@xs2a/nats/bucket-follower';
import { isWrittenMeanwhile, openBucket } from '@xs2a/nats/buckets';
import type { Logger } from '@xs2a/observability/logger';
import { LOGGER, STREAMS } from '@xs2a/runtime/tokens';
import { parseJson } from '../checks/token/bucket-values.js';

type Faults = readonly PlannedFault[];

/** How often a change is repeated that another call overtook. */
const maxAttempts = 20;
/** The maximum time to wait for the bucket, in milliseconds. */
const answerMs = 1000;

const parseFaults = (value: string | undefined): Faults => {
  const found: unknown = value === undefined ? [] : parseJson(value);
  return Array.isArray(found) ? (found as Faults) : [];
};

/**
 * The faults that TPPs have planned for their own next calls (contract 13). All gateways of a sandbox share them. Each gateway
 * follows the key-value bucket and knows which TPPs have planned some, so the calls of others need no look-up.
 */
@Injectable()
export class PlannedFaults implements OnModuleInit, OnApplicationShutdown {
  private readonly planners = new Set<string>();
  private readonly follower: BucketFollower;
  private bucket: Promise<KV> | undefined;

  constructor(
    @Inject(STREAMS) private readonly nats: NatsConnection,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.follower = new BucketFollower({
      nats,
      logger,
      bucket: plannedFaultBucket,
      onAll: (entries) => {
        this.planners.clear();
        for (const [clientId, value] of entries) this.learn(clientId, value);
      },
      onChange: (clientId, value) => this.learn(clientId, value),
      onSaid: (clientId, value) => this.learn(clientId, value),
    });
  }

  onModuleInit(): void {
    this.follower.start();
  }

  onApplicationShutdown(): void {
    this.follower.stop();
  }

  /** Returns what the TPP has planned. Rejects with CallFailed dependencyDown if that cannot be read now. */
  async read(clientId: string): Promise<Faults> {
    return parseFaults((await this.entry(clientId))?.string());
  }

  /** Replaces the TPP's fault for an operation; `none` removes it. Returns all that it has planned. */
  async plan(
    clientId: string,
    operation: string,
    planned: Omit<PlannedFault, 'operation'> | 'none',
  ): Promise<Faults> {
    const faults = await this.change(clientId, (known) => [
      ...known.filter((fault) => fault.operation !== operation),
      ...(planned === 'none' ? [] : [{ operation, ...planned }]),
    ]);
    this.planners.add(clientId);
    return faults;
  }

  /** Takes one fault of a call; undefined if none is planned. Of calls at the same time, each takes its own. */
  async take(clientId: string, operation: string): Promise<PlannedOutcome | undefined> {
    if (!this.planners.has(clientId)) return undefined;
    let taken: PlannedOutcome | undefined;
    const left = await this.change(clientId, (known) => {
      taken = known.find((fault) => fault.operation === operation)?.outcome;
      return known.flatMap((fault) => {
        if (fault.operation !== operation) return [fault];
        return fault.calls > 1 ? [{ ...fault, calls: fault.calls - 1 }] : [];
      });
    });
    // Also after the bucket has forgotten them, which is no change that is followed.
    if (left.length === 0) this.planners.delete(clientId);
    return taken;
  }

  private learn(clientId: string, value: string | undefined): void {
    if (parseFaults(value).length > 0) this.planners.add(clientId);
    else this.planners.delete(clientId);
  }

  /** Changes what a TPP has planned, from what it is at that moment. */
  private async change(clientId: string, next: (known: Faults) => Faults): Promise<Faults> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const entry = await this.entry(clientId);
      const value = entry?.string();
      const changed = next(parseFaults(value));
      const text = JSON.stringify(changed);
      if (text === (value ?? '[]')) return changed;
      if (await this.put(clientId, text, entry?.revision ?? 0)) return changed;
    }
    throw dependencyDown('nats');
  }

  private async entry(clientId: string): Promise<KvEntry | undefined> {
    try {
      return (await (await this.open()).get(clientId)) ?? undefined;
    } catch {
      this.bucket = undefined;
      throw dependencyDown('nats');
    }
  }

  /** Returns false if another call has changed the key since this revision. */
  private async put(clientId: string, text: string, previousSeq: number): Promise<boolean> {
    try {
      await (await this.open()).put(clientId, text, { previousSeq, timeout: answerMs });
      return true;
    } catch (error) {
      if (isWrittenMeanwhile(error)) return false;
      this.bucket = undefined;
      throw dependencyDown('nats');
    }
  }

  private async open(): Promise<KV> {
    this.bucket ??= openBucket(this.nats, plannedFaultBucket);
    return this.bucket;
  }
}
