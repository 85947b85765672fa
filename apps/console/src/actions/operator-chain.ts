import { canonicalJson, chainHash, chainStart } from '@xs2a/event-store/streams/hash-chain';

/** A row of `operator_event` without its hash. */
export interface OperatorEvent {
  readonly seq: number;
  readonly at: Date;
  readonly type: string;
  readonly actionId: string;
  readonly via: string;
  readonly staff: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly act: string;
  readonly target: string;
  readonly reason: string;
  readonly outcome: string | null;
}
export interface ChainedOperatorEvent extends OperatorEvent {
  readonly prevHash: Buffer;
  readonly hash: Buffer;
}

/** Returns the hash of a row: the SHA-256 of the previous hash and of every column. */
export const operatorHash = (prevHash: Buffer, { seq, at, type, actionId, ...data }: OperatorEvent): Buffer =>
  chainHash(
    prevHash,
    {
      eventId: actionId,
      streamId: 'operators',
      version: seq,
      type,
      schemaVersion: 1,
      occurredAt: at.toISOString(),
    },
    canonicalJson(data),
    '{}',
  );

/** True if no column of the row has changed. */
const isIntact = ({ prevHash, hash, ...event }: ChainedOperatorEvent): boolean =>
  operatorHash(prevHash, event).equals(hash);

/** The end of a part of the chain that has been verified. */
interface Link {
  readonly seq: number;
  readonly hash: Buffer;
}

/**
 * Returns the seq of the first row that was changed or inserted, or before which a row is missing; undefined if there is none.
 * The events are consecutive. `before` is the row before them; without it they begin the chain, or what retention has left
 * of it.
 */
export const firstBroken = (events: readonly ChainedOperatorEvent[], before?: Link): number | undefined => {
  let previous = before;
  for (const event of events) {
    const continues =
      previous === undefined
        ? event.seq > 1 || event.prevHash.equals(chainStart)
        : event.seq === previous.seq + 1 && event.prevHash.equals(previous.hash);
    if (!continues || !isIntact(event)) return event.seq;
    previous = event;
  }
  return undefined;
};
