import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventTypes } from '@xs2a/events/event-types';
import type { Field, Fields } from '@xs2a/events/personal-members';
import { basketEventTypes, basketStateFields } from './basket/basket-event-types.js';
import type { BasketEvent } from './basket/basket-events.js';
import type { BasketState } from './basket/basket-state.js';
import { basketStateVersion, evolveBasket } from './basket/evolve-basket.js';
import { consentEventTypes, consentStateFields } from './consent/consent-event-types.js';
import type { ConsentEvent } from './consent/consent-events.js';
import type { ConsentState } from './consent/consent-state.js';
import { consentStateVersion, evolveConsent } from './consent/evolve-consent.js';
import { evolvePayment, paymentStateVersion } from './payment/evolve-payment.js';
import { paymentEventTypes, paymentStateFields } from './payment/payment-event-types.js';
import type { PaymentEvent } from './payment/payment-events.js';
import type { PaymentState } from './payment/payment-state.js';
import { basketEvents, consentEvents, paymentEvents } from './testing/data/event-lists.js';

type Event = PaymentEvent | BasketEvent | ConsentEvent;
interface Fold {
  readonly name: 'payment' | 'basket' | 'consent';
  readonly stateVersion: number;
  readonly eventTypes: EventTypes;
  readonly stateFields: Fields;
  readonly lists: Readonly<Record<string, readonly Event[]>>;
  readonly evolve: (state: unknown, event: Event, at: string) => unknown;
}

const folds: readonly Fold[] = [
  {
    name: 'payment',
    stateVersion: paymentStateVersion,
    eventTypes: paymentEventTypes,
    stateFields: paymentStateFields,
    lists: paymentEvents,
    evolve: (state, event, at) => evolvePayment(state as PaymentState | undefined, event as PaymentEvent, at),
  },
  {
    name: 'basket',
    stateVersion: basketStateVersion,
    eventTypes: basketEventTypes,
    stateFields: basketStateFields,
    lists: basketEvents,
    evolve: (state, event, at) => evolveBasket(state as BasketState | undefined, event as BasketEvent, at),
  },
  {
    name: 'consent',
    stateVersion: consentStateVersion,
    eventTypes: consentEventTypes,
    stateFields: consentStateFields,
    lists: consentEvents,
    evolve: (state, event, at) => evolveConsent(state as ConsentState | undefined, event as ConsentEvent, at),
  },
];

/** The instant of an event: the events of a list are one hour apart and cross midnight in Sofia. */
const instant = (index: number): string =>
  new Date(Date.parse('2026-11-20T20:30:00.000Z') + index * 3_600_000).toISOString();

/** The state after each event of each list, as stored in JSON. */
const listStates = ({ lists, evolve }: Fold): Readonly<Record<string, readonly { state: unknown }[]>> =>
  JSON.parse(
    JSON.stringify(
      Object.fromEntries(
        Object.entries(lists).map(([title, events]) => {
          let state: unknown;
          const states = events.map((event, index) => {
            state = evolve(state, event, instant(index));
            return { after: event.type, state };
          });
          return [title, states];
        }),
      ),
    ),
  );

/** The paths of a value's members that a field table does not name. */
const undeclared = (value: unknown, field: Field | undefined, path: string): string[] => {
  if (field === undefined) return [path];
  if (field === 'personal' || value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((element) => undeclared(element, field, path));
  if (typeof value !== 'object') return typeof field === 'object' ? [path] : [];
  if (field === 'plain') return [path];
  return Object.entries(value).flatMap(([name, member]) =>
    undeclared(member, field[name], `${path}.${name}`),
  );
};

/**
 * A stored state is used unchanged as long as its version equals the fold's version, and instances of two releases
 * may run at the same time (ADR 41). If this test fails for a fold that you changed, increase its state version;
 * the next run writes the file for the new version.
 */
describe.each(folds)('the result of the $name fold for the same events', (fold) => {
  it('does not change unless its state version changes', () => {
    const file = join(
      import.meta.dirname,
      'testing',
      'folded-states',
      `${fold.name}.v${fold.stateVersion}.json`,
    );
    const states = listStates(fold);
    if (!existsSync(file)) {
      writeFileSync(file, `${JSON.stringify(states, null, 2)}\n`);
      throw new Error(`${file} was written for a new state version: commit it`);
    }
    expect(states).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  });

  it('and the events have no members that their field tables do not name', () => {
    const { lists, eventTypes, stateFields, name } = fold;
    const events = Object.values(lists).flat();
    expect(events.flatMap(({ type, data }) => undeclared(data, eventTypes[type]?.fields, type))).toEqual([]);
    const states = Object.values(listStates(fold)).flat();
    expect(states.flatMap(({ state }) => undeclared(state, stateFields, name))).toEqual([]);
  });

  it('is compared for every event type', () => {
    const types = Object.values(fold.lists).flatMap((events) => events.map(({ type }) => type));
    expect([...new Set(types)].toSorted()).toEqual(Object.keys(fold.eventTypes).toSorted());
  });
});
