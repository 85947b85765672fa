import { describe, expect, it } from '@jest/globals';
import { eventType, type EventTypes, NewerEvent, notYetWritten, upcastData } from './event-types.js';

interface First {
  readonly amount: string;
}
interface Second {
  readonly minor: number;
}
const types: EventTypes<'paid' | 'closed'> = {
  paid: eventType(
    'Money moved.',
    (data) => ({ minor: Math.round(Number((data as First).amount) * 100) }),
    (data) => ({ value: { minor: (data as Second).minor, currency: 'BGN' } }),
  ),
  closed: eventType('It is over.'),
};
const today = { value: { minor: 1250, currency: 'BGN' } };

describe('upcasting (architecture, Event store 7)', () => {
  it.each([
    ['two versions', 1, { amount: '12.50' }],
    ['one version', 2, { minor: 1250 }],
    ['no version', 3, today],
  ])('converts data that is %s old to the current shape', (_title, schemaVersion, data) => {
    expect(upcastData(types, { type: 'paid', schemaVersion, data })).toEqual(today);
  });

  it('leaves the stored data unchanged', () => {
    const data = Object.freeze({ amount: '12.50' });
    upcastData(types, { type: 'paid', schemaVersion: 1, data });
    expect(data).toEqual({ amount: '12.50' });
  });

  it('writes new events in the version that the last upcast produces', () => {
    expect([types.paid.schemaVersion, types.closed.schemaVersion]).toEqual([3, 1]);
  });

  it('reads the newest version but writes the previous one while the newest is marked as not yet written', () => {
    const expanded = { ...types, paid: notYetWritten(types.paid) };
    expect(expanded.paid.schemaVersion).toBe(2);
    for (const [schemaVersion, data] of [
      [2, { minor: 1250 }],
      [3, today],
    ] as const)
      expect(upcastData(expanded, { type: 'paid', schemaVersion, data })).toEqual(today);
    expect(() => upcastData(expanded, { type: 'paid', schemaVersion: 4, data: today })).toThrow(NewerEvent);
  });

  it.each([
    ['a version of a newer release', 'paid', 4],
    ['an unknown type', 'opened', 1],
    ['a name that every object has', 'constructor', 1],
  ])('throws NewerEvent for %s, which only a newer release can read', (_title, type, schemaVersion) => {
    expect(() => upcastData(types, { type, schemaVersion, data: {} })).toThrow(NewerEvent);
  });

  it('refuses a version below 1', () => {
    expect(() => upcastData(types, { type: 'paid', schemaVersion: 0, data: {} })).toThrow(RangeError);
  });
});
