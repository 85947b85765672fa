import type { Projection } from '@xs2a/event-store/projections/projection';
import type { BasketEvent } from '@xs2a/domain/basket/basket-events';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import { type InitiatingEventType, initiatingEventTypes } from '@xs2a/domain/payment/payment-transitions';
import { binaryArray } from '@xs2a/postgres/binary-array';

type First = Extract<PaymentEvent | BasketEvent, { type: InitiatingEventType | 'basket-opened' }>['data'];

/** Which events there were, when, of which payment or basket and TPP: what operators watch and search. Holds no personal data. */
export const paymentEventIndex: Projection = {
  name: 'payment_event_index',
  version: 1,
  purpose: 'events by position, type, payment and TPP',
  dataOf: [...initiatingEventTypes, 'basket-opened'],
  columns: `
    pos bigint PRIMARY KEY,
    occurred_at timestamptz NOT NULL,
    type text NOT NULL,
    payment_id uuid NOT NULL,
    tpp_id text NOT NULL`,
  // A payment's events are found in the event store itself, by its stream.
  indexes: ['tpp_id, pos'],
  apply: async (client, table, events, { firstEvents }) => {
    const tppIds = new Map<string, string>();
    const note = (streamId: string, data: unknown): unknown => tppIds.set(streamId, (data as First).tppId);
    for (const { streamId, version, data } of events) if (version === 1) note(streamId, data);
    const earlier = events.map(({ streamId }) => streamId).filter((id) => !tppIds.has(id));
    for (const [streamId, { data }] of await firstEvents(earlier)) note(streamId, data);
    await client.query({
      name: `write-${table}`,
      text: `INSERT INTO ${table} (pos, occurred_at, type, payment_id, tpp_id)
        SELECT pos, to_timestamp(at_ms / 1000::float8), type, payment_id, tpp_id
        FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::uuid[], $5::text[])
          AS e (pos, at_ms, type, payment_id, tpp_id)`,
      values: [
        binaryArray(
          'bigint',
          events.map(({ pos }) => pos),
        ),
        binaryArray(
          'bigint',
          events.map(({ atMs }) => atMs),
        ),
        binaryArray(
          'text',
          events.map(({ type }) => type),
        ),
        binaryArray(
          'uuid',
          events.map(({ streamId }) => streamId),
        ),
        binaryArray(
          'text',
          events.map(({ streamId }) => tppIds.get(streamId)),
        ),
      ],
    });
  },
};
