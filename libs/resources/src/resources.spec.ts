import { describe, expect, it } from '@jest/globals';
import { type EventResource, eventStreams } from '@xs2a/contracts/event-streams';
import { resources, streamKinds } from './resources.js';

const names = Object.keys(eventStreams) as EventResource[];

describe('the kinds of streams (architecture, Event store)', () => {
  it.each(names)('of %s share no event type, so that every event shows the kind of its stream', (name) => {
    const types = streamKinds[name].flatMap((kind) => Object.keys(kind.types));
    expect(types).toEqual([...new Set(types)]);
    expect(Object.keys(resources[name].types).sort()).toEqual(types.sort());
  });

  it('each have their own lifecycle: the status after each event is that of the kind', () => {
    const { statusesAfter } = resources.payments;
    expect(statusesAfter(['initiated', 'accepted', 'signed'])).toEqual(['RCVD', 'ACCP', 'ACCP']);
    expect(statusesAfter(['basket-opened', 'basket-created', 'basket-signed', 'basket-completed'])).toEqual([
      'opening',
      'RCVD',
      'ACTC',
      'ACSC',
    ]);
  });

  it.each([
    ['an event of another kind', ['initiated', 'basket-created', 'accepted'], ['RCVD', undefined, undefined]],
    ['an event that the lifecycle does not allow', ['initiated', 'settled'], ['RCVD', undefined]],
    ['a stream that begins in the middle', ['accepted', 'signed'], [undefined, undefined]],
    ['an unknown event', ['constructor', 'initiated'], [undefined, undefined]],
    ['no event', [], []],
  ])('have no status from there on after %s', (_what, events, statuses) => {
    expect(resources.payments.statusesAfter(events)).toEqual(statuses);
  });
});
