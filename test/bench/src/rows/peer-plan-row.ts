import { wireRequest, uuidMark } from '../load/load-plan.js';
import { sumCpu } from '../load/cpu-time.js';
import { measure, problemOf } from '../load/measure.js';
import { type FigureRow, inWorld, type Prepared } from '../row.js';
import type { BenchWorld } from '../world/bench-world.js';
import { customers, inTurn } from '../world/customers.js';
import { grantConsents } from '../world/granted-consents.js';
import { numbers } from '../world/in-parallel.js';
import { paymentBody, paymentsPath } from '../world/payments.js';
import { realTime } from '../world/real-time.js';
import { initiateMany } from './payment-rows.js';

const users = 50;
const consents = 20_000;
const payments = 100_000;
const dayMs = 24 * 60 * 60 * 1000;

const consentBody = (iban: string): Record<string, unknown> => ({
  access: { accounts: [{ iban }], balances: [{ iban }], transactions: [{ iban }] },
  recurringIndicator: true,
  validUntil: new Date(realTime.nowMs() + 80 * dayMs).toISOString().slice(0, 10),
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
});

/** The four requests of the plan, one after another: each user of the plan sends them in this order. */
const statuses = [201, 200, 201, 200] as const;

const prepare = async (world: BenchWorld): Promise<Prepared> => {
  const paymentIds = await initiateMany(world, payments);
  const ofConsents = await world.tokens.ofConsents(await grantConsents(world, customers, consents));
  const tokens = await world.tokens.application(customers.length);
  const requests = numbers(consents).flatMap((number) => {
    const { iban, psuId } = inTurn(number);
    const application = world.bearing(tokens[number % tokens.length] ?? '');
    const writing = { ...application, 'X-Request-ID': uuidMark };
    const paymentId = paymentIds[(number * 7) % paymentIds.length] ?? '';
    return [
      wireRequest('POST', paymentsPath, writing, paymentBody(iban, { number })),
      wireRequest('GET', `${paymentsPath}/${paymentId}/status`, application),
      wireRequest('POST', '/v1/consents', { ...writing, 'PSU-ID': psuId }, consentBody(iban)),
      // The PSU is present, so that the calls are not counted, as in the plan.
      wireRequest('GET', '/v1/accounts', {
        ...world.bearing(ofConsents[number] ?? ''),
        'PSU-IP-Address': '198.51.100.7',
      }),
    ];
  });
  return { requests, expect: statuses };
};

/** The plan with which open peers were measured: 50 users and four requests in equal parts. */
export const peerPlanRow: FigureRow = {
  name: 'peer-plan',
  title:
    'POST payment, GET status, POST consent, GET accounts in equal parts, 20,000 consents and 100,000 payments stored',
  targets: { sandbox: { atMost: 1.4, unit: 'CPU ms' } },
  measure: inWorld(async (world, { seconds, warmUpSeconds, say }) => {
    say(`  ${payments} payments and ${consents} consents are stored`);
    const plan = { ...world.entrance, connections: users, seconds, warmUpSeconds, ...(await prepare(world)) };
    const result = await measure(plan, world.parts);
    const { perSecond, p50, p99, cpu } = result;
    return { value: sumCpu(cpu), perSecond, p50, p99, cpu, problem: problemOf(result) };
  }),
};
