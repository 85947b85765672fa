import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as baskets from '@xs2a/contracts/baskets.contract';
import type { Call } from '@xs2a/contracts/call';
import * as payments from '@xs2a/contracts/payments.contract';
import * as reveals from '@xs2a/contracts/console/reveal.contract';
import * as timelines from '@xs2a/contracts/timeline.contract';
import { type PaymentsWorld, startPaymentsWorld } from './testing/payments-world.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());

const isCallOfPayments = (exported: unknown): exported is Call<unknown, unknown> =>
  typeof exported === 'object' &&
  exported !== null &&
  String(Reflect.get(exported, 'subject')).startsWith('svc.payments.');
const calls = Object.values<unknown>({ ...payments, ...baskets, ...reveals, ...timelines }).filter(
  isCallOfPayments,
);

const members =
  'tppId psuId paymentId basketId authorisationId service product body idempotencyKey redirectUris reason records payments after limit'.split(
    ' ',
  );
const requestWith = (value: unknown): unknown => Object.fromEntries(members.map((name) => [name, value]));

it.each(calls.map(({ subject }) => subject))(
  '%s answers a malformed request from a faulty caller',
  async (subject) => {
    const { nats } = world.payments;
    for (const request of [{}, requestWith(null), requestWith(7), requestWith({}), requestWith([null])]) {
      const message = JSON.stringify({ request });
      const { data } = await nats.request(subject, message, { timeout: 5000 });
      expect(Object.keys(JSON.parse(Buffer.from(data).toString()) as object)).toEqual([
        expect.stringMatching(/^(ok|failures)$/),
      ]);
    }
  },
  30_000,
);

it('the service stores nothing from malformed calls and continues to work', async () => {
  expect(await world.sql('SELECT type FROM payments.events')).toEqual([]);
  const { paymentId } = await world.signed();
  expect(await world.eventTypes(paymentId)).toEqual(['initiated', 'accepted', 'signed']);
});
