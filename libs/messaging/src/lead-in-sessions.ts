import type { NatsConnection } from '@nats-io/transport-node';
import { LeaderLock, pause } from '@xs2a/postgres/leader-lock';
import type { Pool } from 'pg';
import { atMost } from './at-most.js';
import { connectOnce } from './connection.js';

/** Work that one of all instances does, with a connection to NATS and a lock in PostgreSQL. */
export interface LedWork {
  readonly natsUrl: string;
  /** The lock keeps one connection of it. */
  readonly pool: Pool;
  /** Of the connection to NATS. */
  readonly name: string;
  readonly lock: string;
  readonly stopping: AbortSignal;
  /** Every instance is connected; that does not mean that it leads. */
  readonly connected: (nats: NatsConnection) => void;
  /** Works until either connection is lost or `stopping` comes. */
  readonly lead: (nats: NatsConnection, lock: LeaderLock) => Promise<void>;
  readonly failed: (error: unknown) => void;
  /** Another instance has led for a second: what failed here before is its business now. */
  readonly following: () => void;
}

/** A session that lasted so long was well: the next failure is a first one. */
const wellAfterMs = 5000;
const longestPauseMs = 2000;
const closeMs = 1000;
/** One that leads and fails has given the lock back before. */
const followsAfterMs = 1000;

/**
 * Waits for the lock and leads, until it is stopped; starts over after any error, with growing pauses and with nothing
 * but what PostgreSQL and the stream tell (architecture, Event store 3).
 */
export const leadInSessions = async (work: LedWork): Promise<void> => {
  let failures = 0;
  while (!work.stopping.aborted) {
    const begun = performance.now();
    try {
      await session(work);
    } catch (error) {
      work.failed(error);
      failures = performance.now() - begun > wellAfterMs ? 1 : failures + 1;
      await pause(Math.min(longestPauseMs, 50 * 2 ** failures), work.stopping);
    }
  }
};

/** From one pair of connections to the loss of either. */
const session = async (work: LedWork): Promise<void> => {
  const { natsUrl, pool, name, lock, stopping, connected, lead } = work;
  const nats = await connectOnce(natsUrl, name);
  try {
    const ended = new AbortController();
    void nats.closed().then(() => ended.abort());
    connected(nats);
    const since = performance.now();
    const held = await LeaderLock.acquire(pool, lock, {
      stop: AbortSignal.any([stopping, ended.signal]),
      heldElsewhere: () => {
        if (performance.now() - since > followsAfterMs) work.following();
      },
    });
    if (held === undefined) return;
    try {
      await lead(nats, held);
    } finally {
      held.release();
    }
  } finally {
    await atMost(closeMs, nats.close());
  }
};
