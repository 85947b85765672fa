import type { BenchWorld } from './bench-world.js';
import { must } from './bench-world.js';
import { uuidMark, wireRequest } from './load-plan.js';
import type { Prepared, Row } from './row.js';
import { paymentBody } from './signed-payments.js';

const path = '/v1/payments/domestic-credit-transfer-BGN';

/** Each request is an attempt of its own: a new X-Request-ID, kept as idempotency key. */
export const postPayments = async (world: BenchWorld): Promise<Prepared> => {
  const { accounts } = await world.psu(10);
  const headers = { Authorization: `Bearer ${world.applicationToken}`, 'X-Request-ID': uuidMark };
  return {
    requests: accounts.map(({ iban }) => wireRequest('POST', path, headers, paymentBody(iban))),
    expect: 201,
  };
};

export const readStatus = async (world: BenchWorld): Promise<Prepared> => {
  const { accounts } = await world.psu(1);
  const headers = { Authorization: `Bearer ${world.applicationToken}` };
  const requests: string[] = [];
  for (let count = 0; count < 300; count += 1) {
    const answer = await world.tpp.call('POST', path, world.applicationToken, {
      json: paymentBody(accounts[0]?.iban ?? ''),
    });
    const { paymentId } = must<{ paymentId: string }>(201, answer);
    requests.push(wireRequest('GET', `${path}/${paymentId}/status`, headers));
  }
  return { requests, expect: 200 };
};

export const paymentRows: readonly Row[] = [
  { name: 'post-payment', title: 'POST payment', target: 0.4, prepare: postPayments },
  { name: 'payment-status', title: 'GET payment status', target: 0.6, prepare: readStatus },
];
