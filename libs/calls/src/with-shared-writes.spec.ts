import { describe, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { createLogger } from '@xs2a/observability/logger';
import { setImmediate as turn } from 'node:timers/promises';
import { withSharedWrites } from './with-shared-writes.js';

const maxPayload = 10;
/** A connection that records its calls; publishing to `broken` fails. */
const noting = (log: string[], isClosed = false): NatsConnection =>
  ({
    info: { max_payload: maxPayload },
    isClosed: () => isClosed,
    isDraining: () => false,
    publish: (subject: string) => {
      if (isClosed || subject === 'broken') throw new TypeError(`cannot publish ${subject}`);
      log.push(subject);
    },
    flush: async () => void log.push('flush'),
    drain: async () => void log.push('drain'),
    close: async () => void log.push('close'),
  }) as unknown as NatsConnection;
const logger = createLogger('test', 'silent');

describe('a connection with shared writes', () => {
  it('publishes all messages of an event loop turn at the end of the turn, in order', async () => {
    const log: string[] = [];
    const nats = withSharedWrites(noting(log), logger);
    nats.publish('first');
    nats.publish('second');
    expect(log).toEqual([]);
    await turn();
    expect(log).toEqual(['first', 'second']);
  });

  it('publishes before it flushes, drains or closes', async () => {
    const log: string[] = [];
    const nats = withSharedWrites(noting(log), logger);
    for (const end of ['flush', 'drain', 'close'] as const) {
      nats.publish(`before ${end}`);
      await nats[end]();
    }
    expect(log).toEqual(['before flush', 'flush', 'before drain', 'drain', 'before close', 'close']);
  });

  it('throws an error immediately if a message is too large or the connection is closed', () => {
    const nats = withSharedWrites(noting([]), logger);
    expect(() => nats.publish('broken', 'x'.repeat(maxPayload + 1))).toThrow('cannot publish broken');
    expect(() => withSharedWrites(noting([], true), logger).publish('any')).toThrow('cannot publish any');
  });

  it('throws an error immediately for a message that exceeds the limit in bytes but not in characters', async () => {
    const log: string[] = [];
    const nats = withSharedWrites(noting(log), logger);
    nats.publish('fits', 'щ'.repeat(maxPayload / 2));
    expect(() => nats.publish('broken', 'щ'.repeat(maxPayload / 2 + 1))).toThrow('cannot publish broken');
    await turn();
    expect(log).toEqual(['fits']);
  });

  it('sends the other messages if one message cannot be sent', async () => {
    const log: string[] = [];
    const nats = withSharedWrites(noting(log), logger);
    nats.publish('broken');
    nats.publish('whole');
    await turn();
    expect(log).toEqual(['whole']);
  });
});
