import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type EventResource, eventStreams } from '@xs2a/contracts/published-event';
import { readClockOffset } from '@xs2a/core-banking/sandbox/settings';
import { setTimeout as wait } from 'node:timers/promises';
import type { Schema, Schemas } from './schemas.js';

export interface Backlog {
  readonly schemas: Schemas;
  /** An operator's connection. */
  readonly nats: NatsConnection;
}

const counted: readonly { readonly schema: Schema; readonly what: string; readonly text: string }[] = [
  {
    schema: 'settlement',
    what: 'payments due for settlement or booking',
    text: 'SELECT count(*) AS left FROM due WHERE due_at <= $1',
  },
  {
    schema: 'payments',
    what: 'payments signed but unknown to the settlement worker',
    text: `SELECT count(*) AS left FROM payment_view p WHERE status = 'ACCP' AND signed_at IS NOT NULL
      AND funds_available IS NULL AND (state->'signed'->>'dueAt')::timestamptz <= $1
      AND NOT EXISTS (SELECT FROM settlement.due d WHERE d.payment_id = p.stream_id)`,
  },
  {
    schema: 'payments',
    what: 'payments in settlement',
    text: "SELECT count(*) AS left FROM payment_view WHERE status = 'ACSP' AND $1::timestamptz IS NOT NULL",
  },
  {
    schema: 'payments',
    what: 'payments not signed in time',
    text: 'SELECT count(*) AS left FROM payment_view WHERE unsigned_until <= $1',
  },
  {
    schema: 'consents',
    what: 'consents that should have ended',
    text: 'SELECT count(*) AS left FROM consent_view WHERE due_at <= $1',
  },
  {
    schema: 'settlement',
    what: 'dead letters',
    text: 'SELECT count(*) AS left FROM dead_letter WHERE buried_at IS NOT NULL AND $1::timestamptz IS NOT NULL',
  },
];

/** The sandbox's moment, ISO. */
export const sandboxNow = async (schemas: Schemas): Promise<string> =>
  new Date(Date.now() + (await readClockOffset(schemas.of('accounts')))).toISOString();

/** What should have been done by now and is not, a sentence each; none: the system is at rest (invariant 7). */
export const dueLeft = async ({ schemas, nats }: Backlog): Promise<string[]> => {
  const now = await sandboxNow(schemas);
  const left: string[] = [];
  for (const { schema, what, text } of counted) {
    const { rows } = await schemas.of(schema).query<{ left: number }>(text, [now]);
    const count = rows[0]?.left ?? 0;
    if (count > 0) left.push(`${count} ${what}`);
  }
  for (const resource of Object.keys(eventStreams) as EventResource[]) {
    const { rows } = await schemas
      .of(resource)
      .query<{ waiting: number; head: number }>(
        'SELECT (SELECT count(*) FROM unsequenced) AS waiting, (SELECT coalesce(max(pos), 0) FROM log) AS head',
      );
    const { waiting = 0, head = 0 } = rows[0] ?? {};
    if (waiting > 0) left.push(`${waiting} events of ${resource} without a position`);
    const { state } = await (await jetstreamManager(nats)).streams.info(eventStreams[resource]);
    if (state.last_seq < head) left.push(`${head - state.last_seq} events of ${resource} not published`);
  }
  return left;
};

/** Waits until nothing due is left, at most so many seconds; answers what is still left then. */
export const waitUntilRest = async (
  backlog: Backlog,
  seconds: number,
): Promise<{ readonly left: readonly string[]; readonly seconds: number }> => {
  const began = performance.now();
  for (;;) {
    const left = await dueLeft(backlog).catch((error: unknown) => [`cannot be asked: ${String(error)}`]);
    const taken = (performance.now() - began) / 1000;
    if (left.length === 0 || taken > seconds) return { left, seconds: taken };
    await wait(100);
  }
};
