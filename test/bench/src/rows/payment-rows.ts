import { uuidMark, wireRequest } from '../load/load-plan.js';
import { hopsAtMost, type Prepared, type RequestRow } from '../row.js';
import type { BenchWorld } from '../world/bench-world.js';
import { customers, inTurn } from '../world/customers.js';
import { inParallel, numbers } from '../world/in-parallel.js';
import type { Binding } from '../world/minted-tokens.js';
import { atOnce, initiate, paymentBody, paymentsPath } from '../world/payments.js';

/**
 * Uses each customer's account in turn, with that customer's token and a new X-Request-ID, which is stored as the
 * idempotency key.
 */
export const postPayments = async (world: BenchWorld): Promise<Prepared> => {
  const tokens = await world.tokens.application(customers.length);
  const requests = customers.map(({ iban }, number) => {
    const headers = { ...world.bearing(tokens[number] ?? ''), 'X-Request-ID': uuidMark };
    return wireRequest('POST', paymentsPath, headers, paymentBody(iban, { number }));
  });
  return { requests, expect: 201 };
};

/** Reads the status of these payments in turn, with a different token each time. */
export const readStatus = async (
  world: BenchWorld,
  ids: readonly string[],
  binding: Binding = 'key',
): Promise<Prepared> => {
  const tokens = await world.tokens.application(Math.min(ids.length, customers.length), binding);
  const requests = ids.map((id, number) => {
    const headers = world.bearing(tokens[number % tokens.length] ?? '', binding);
    return wireRequest('GET', `${paymentsPath}/${id}/status`, headers);
  });
  return { requests, expect: 200 };
};

/** Initiates the given number of payments, each for a different customer than the previous one. Returns their ids. */
export const initiateMany = async ({ calls, clientId }: BenchWorld, payments: number): Promise<string[]> =>
  inParallel(numbers(payments), atOnce, async (number) => {
    const body = paymentBody(inTurn(number).iban, { number });
    return (await initiate(calls, body, { tppId: clientId })).paymentId;
  });

export const paymentRows: readonly RequestRow[] = [
  {
    name: 'post-payment',
    title: 'POST payment, 6,000 debtors',
    targets: hopsAtMost({ sandbox: 5, production: 11 }),
    floor: 4.3,
    prepare: postPayments,
  },
  {
    name: 'payment-status',
    title: 'GET payment status, 10,000 payments',
    targets: hopsAtMost({ sandbox: 1.6, production: 5 }),
    floor: 1.4,
    prepare: async (world) => readStatus(world, await initiateMany(world, 10_000)),
  },
  {
    name: 'status-by-certificate',
    title: 'GET payment status, tokens bound to a certificate',
    targets: hopsAtMost({ production: 5 }),
    floor: 1.4,
    prepare: async (world) => readStatus(world, await initiateMany(world, 10_000), 'certificate'),
  },
];
