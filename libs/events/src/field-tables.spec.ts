import { describe, expect, it } from '@jest/globals';
import { eventTypesOf, fieldsOf, type FieldTable } from './field-tables.js';
import type { Fields } from './personal-members.js';

interface Order {
  readonly amount: number;
  readonly payee: string;
}
type Event =
  | {
      readonly type: 'ordered';
      readonly data: { readonly id: string; readonly by?: string } & (
        | { readonly order: Order }
        | { readonly orders: readonly Order[] }
      );
    }
  | { readonly type: 'closed'; readonly data: { readonly id: string } };

const order: FieldTable<Order> = { amount: 'plain', payee: 'personal' };
const rows = {
  ordered: {
    meaning: 'It was ordered.',
    fields: { id: 'plain', by: 'personal', order, orders: order },
  },
  closed: { meaning: 'It is over.', fields: { id: 'plain' } },
} as const;

describe('a table that marks personal data next to an event type', () => {
  it('is part of the event type', () => {
    expect(eventTypesOf<Event>(rows)).toEqual({
      ordered: { meaning: 'It was ordered.', schemaVersion: 1, upcasts: [], fields: rows.ordered.fields },
      closed: { meaning: 'It is over.', schemaVersion: 1, upcasts: [], fields: rows.closed.fields },
    });
  });

  it('cannot be replaced by an object that was not compared with a type', () => {
    type IsTable<Value> = Value extends Fields ? 'compiles' : 'does not compile';
    const compared: IsTable<ReturnType<typeof fieldsOf<Order>>> = 'compiles';
    const plainObject: IsTable<{ readonly amount: 'plain' }> = 'does not compile';
    const typeMissing: Parameters<typeof fieldsOf<never>> extends [never] ? 'does not compile' : 'compiles' =
      'does not compile';
    expect([compared, plainObject, typeMissing]).toHaveLength(3);
  });

  it('does not compile if a member is undecided, open, or divided although it has no members', () => {
    type Accepts<Data, Fields> = Fields extends FieldTable<Data> ? 'compiles' : 'does not compile';
    interface Person {
      readonly id: string;
      readonly by?: string;
    }
    const complete: Accepts<Person, { id: 'plain'; by: 'personal' }> = 'compiles';
    const undecided: Accepts<Person, { id: 'plain' }> = 'does not compile';
    const divided: Accepts<Person, { id: { length: 'plain' }; by: 'plain' }> = 'does not compile';
    const whole: Accepts<{ readonly order: Order }, { order: 'plain' }> = 'does not compile';
    const variant: Accepts<{ order: Order } | { orders: readonly Order[] }, { order: 'personal' }> =
      'does not compile';
    const open: Accepts<
      { readonly body: Readonly<Record<string, unknown>> },
      { body: Record<never, never> }
    > = 'does not compile';
    const unknown: Accepts<{ readonly body: unknown }, { body: 'plain' }> = 'does not compile';
    const mixed: Accepts<{ readonly account: string | { readonly iban: string } }, { account: 'plain' }> =
      'does not compile';
    expect([open, unknown, mixed]).toHaveLength(3);
    expect([complete, undecided, divided, whole, variant]).toHaveLength(5);
  });

  it('counts versions by its upcasts, and writes the previous one while the newest is not written yet', () => {
    const closed = { ...rows.closed, upcasts: [(data: unknown) => data] };
    expect(eventTypesOf<Event>({ ...rows, closed }).closed.schemaVersion).toBe(2);
    const expanded = eventTypesOf<Event>({ ...rows, closed: { ...closed, isNotYetWritten: true } });
    expect(expanded.closed).toMatchObject({ schemaVersion: 1, upcasts: closed.upcasts });
  });
});
