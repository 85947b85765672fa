import { describe, expect, it } from '@jest/globals';
import { canonicalJson, chainHash, chainStart, type HashedEvent } from '../streams/hash-chain.js';
import { streamFindings } from './verify-stream.js';

const meta = { actor: 'a' };
const hashed = (head: Omit<HashedEvent, 'hash'>): HashedEvent => ({
  ...head,
  hash: chainHash(head.prevHash, head, canonicalJson(head.data), canonicalJson(head.meta)),
});
const stream = (length: number, streamId = 's'): HashedEvent[] => {
  const events: HashedEvent[] = [];
  for (let version = 1; version <= length; version += 1) {
    events.push(
      hashed({
        eventId: `${streamId}${version}`,
        streamId,
        version,
        type: `step-${version}`,
        schemaVersion: 1,
        occurredAt: '2026-01-05T10:00:00.000Z',
        data: { by: version },
        meta,
        prevHash: events.at(-1)?.hash ?? chainStart,
      }),
    );
  }
  return events;
};
const at = (events: readonly HashedEvent[], version: number): HashedEvent => {
  const event = events[version - 1];
  if (event === undefined) throw new RangeError('no such version');
  return event;
};
const numbered = (events: readonly HashedEvent[]): HashedEvent[] =>
  events.map((event, index) => ({ ...event, version: index + 1 }));
const found = (events: readonly HashedEvent[]): string[] =>
  streamFindings(events).map(({ kind, version }) => `${kind} ${version}`);
const five = stream(5);

describe('verification of a stream (architecture, Event store; quality, Security)', () => {
  it('finds no damage in unmodified events', () => {
    expect(found(five)).toEqual([]);
  });

  it.each([1, 3, 5])('reports a changed event at version %i', (version) => {
    expect(found(five.with(version - 1, { ...at(five, version), data: { by: 99 } }))).toEqual([
      `changed ${version}`,
    ]);
  });

  it.each([1, 3, 4])('reports a changed event with a recomputed hash at version %i', (version) => {
    const forged = hashed({ ...at(five, version), data: { by: 99 } });
    expect(found(five.with(version - 1, forged))).toEqual([`changed ${version}`]);
  });

  it('reports an event with a recomputed hash that no longer refers to its predecessor', () => {
    expect(found(five.with(2, hashed({ ...at(five, 3), prevHash: Buffer.alloc(32, 7) })))).toEqual([
      'changed 3',
    ]);
  });

  it.each([1, 2, 4])(
    'reports a deleted event at version %i, even if the later events were renumbered',
    (version) => {
      const rest = five.filter((event) => event.version !== version);
      expect(found(rest)).toEqual([`deleted ${version}`]);
      expect(found(numbered(rest))).toEqual([`deleted ${version}`]);
    },
  );

  it('reports both events if the positions of two were swapped', () => {
    const turned = [at(five, 1), at(five, 3), at(five, 2), at(five, 4), at(five, 5)];
    expect(found(numbered(turned))).toEqual(['swapped 2', 'swapped 3']);
  });

  it('reports both events if the contents of two were swapped', () => {
    const [second, third] = [at(five, 2), at(five, 3)];
    const turned = five
      .with(1, { ...second, type: third.type, data: third.data })
      .with(2, { ...third, type: second.type, data: second.data });
    expect(found(turned)).toEqual(['swapped 2', 'swapped 3']);
  });

  it.each([
    ['with any hash', (event: HashedEvent) => event],
    ['with a fresh hash', hashed],
  ])('reports an event inserted between others, %s', (_title, finish) => {
    const strange = finish({ ...at(five, 3), eventId: 'x', data: { by: 99 } });
    const stuffed = numbered([...five.slice(0, 2), strange, ...five.slice(2)]);
    expect(found(stuffed)).toEqual(['inserted 3']);
  });

  it('reports an event inserted far beyond the last version', () => {
    const far = hashed({ ...at(five, 5), version: 2_000_000_000, prevHash: at(five, 5).hash });
    expect(found([...five, far])).toEqual(['inserted 2000000000']);
  });

  it('reports an event that was moved from another stream', () => {
    const foreign = { ...at(stream(5, 't'), 3), streamId: 's' };
    expect(found(five.with(2, foreign))).toEqual(['changed 3']);
  });

  it('cannot detect that the last events are missing or that all later hashes were recomputed; only the log and its anchors can', () => {
    expect(found(five.slice(0, 3))).toEqual([]);
    const changed = hashed({ ...at(five, 4), data: { by: 99 } });
    expect(found([...five.slice(0, 3), changed, hashed({ ...at(five, 5), prevHash: changed.hash })])).toEqual(
      [],
    );
  });
});
