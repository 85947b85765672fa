import { connections } from '../hops/hops.js';
import { agesAfter, keepCommitTimes, readHead } from '../load/commit-times.js';
import { summarise } from '../load/latency.js';
import { measure, problemOf } from '../load/measure.js';
import { type FigureRow, inWorld } from '../row.js';
import { postPayments } from './payment-rows.js';

const paymentsPerSecond = 500;

export const eventAgeRow: FigureRow = {
  name: 'event-age',
  title: 'event age, commit to JetStream, 500 payments/s',
  targets: { sandbox: { atMost: 30, unit: 'ms' }, production: { atMost: 60, unit: 'ms' } },
  measure: inWorld(async (world, { seconds, warmUpSeconds }) => {
    await keepCommitTimes(world);
    const plan = { ...world.entrance, warmUpSeconds: 1, ...(await postPayments(world)) };
    // Runs at full speed first, because after about 10,000 requests V8 spends half a second optimising the
    // gateway's hot code.
    await measure({ ...plan, connections, seconds: warmUpSeconds }, world.parts);
    const pos = await readHead(world);
    const paced = { ...plan, connections: connections * 2, pace: paymentsPerSecond, seconds };
    const result = await measure(paced, world.parts);
    const ages = await agesAfter(world, pos);
    const { p50, p99 } = summarise(ages, seconds);
    const { perSecond, cpu } = result;
    return {
      value: p99,
      perSecond,
      p50,
      p99,
      cpu,
      cpuOf: 'a payment',
      notes: [
        `${ages.length} events inspected; ${Math.round(perSecond)} payments/s of the requested ${paymentsPerSecond}`,
      ],
      problem: ages.length === 0 ? 'no event was published' : problemOf(result),
    };
  }),
};
