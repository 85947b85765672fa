import { initiatePayment } from '@xs2a/contracts/payments.contract';
import { uuidMark, wireRequest } from '../load/load-plan.js';
import type { Prepared, Row } from '../row.js';
import type { BenchWorld } from '../world/bench-world.js';
import { customers, inTurn } from '../world/customers.js';
import { inParallel, withCalls } from '../world/direct-calls.js';
import { paymentBody, product } from '../world/signed-payments.js';

const path = `/v1/payments/${product}`;
const atOnce = 64;

/** Each customer's account in turn, with that customer's token and a new X-Request-ID, which is stored as idempotency key. */
export const postPayments = async (world: BenchWorld): Promise<Prepared> => {
  const tokens = await world.tokens.application(customers.length);
  return {
    requests: customers.map(({ iban }, number) =>
      wireRequest(
        'POST',
        path,
        { ...world.bearing(tokens[number] ?? ''), 'X-Request-ID': uuidMark },
        paymentBody(iban, { number }),
      ),
    ),
    expect: 201,
  };
};

/** The status of this many payments in turn, each of another customer and with another token than the previous one. */
export const readStatus = async (world: BenchWorld, payments: number): Promise<Prepared> => {
  const tokens = await world.tokens.application(Math.min(payments, customers.length));
  const turns = Array.from({ length: payments }, (_none, number) => number);
  const ids = await withCalls(world.sandbox, async (calls) =>
    inParallel(turns, atOnce, async (number) => {
      const { paymentId } = await calls.call(initiatePayment, {
        tppId: world.clientId,
        service: 'payments',
        product,
        body: paymentBody(inTurn(number).iban, { number }),
        idempotencyKey: { path: `POST /payments/${product}`, hash: '' },
        redirectUris: {},
      });
      return paymentId;
    }),
  );
  const requests = ids.map((id, number) =>
    wireRequest('GET', `${path}/${id}/status`, world.bearing(tokens[number % tokens.length] ?? '')),
  );
  return { requests, expect: 200 };
};

export const paymentRows: readonly Row[] = [
  {
    name: 'post-payment',
    title: 'POST payment, 6,000 debtors',
    targets: { sandbox: 0.35, production: 0.2 },
    prepare: postPayments,
  },
  {
    name: 'payment-status',
    title: 'GET payment status, 10,000 payments',
    targets: { sandbox: 0.8, production: 0.5 },
    prepare: async (world) => readStatus(world, 10_000),
  },
];
