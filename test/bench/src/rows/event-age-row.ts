import { BenchWorld } from '../world/bench-world.js';
import { cpuNote, type FigureOptions, type FigureRow, type Found } from '../figure.js';
import { connections } from '../hops/hops.js';
import { agesAfter, keepCommitTimes, readHead } from '../load/commit-times.js';
import { summarise } from '../load/latency.js';
import { measure } from '../load/measure.js';
import { postPayments } from './payment-rows.js';

const paymentsPerSecond = 500;

const eventAge = async (options: FigureOptions): Promise<Found> => {
  const { seconds, warmUpSeconds } = options;
  const world = await BenchWorld.start(options);
  try {
    await keepCommitTimes(world);
    const prepared = await postPayments(world);
    const plan = { ...world.entrance, once: false, ...prepared };
    // At full speed: about 10,000 requests after the start, V8 optimises the gateway's hot code for half a second.
    await measure({ ...plan, connections, seconds: warmUpSeconds, warmUpSeconds: 1 }, world.parts);
    const pos = await readHead(world.sandbox);
    const paced = { ...plan, connections: connections * 2, pace: paymentsPerSecond };
    const result = await measure({ ...paced, seconds, warmUpSeconds: 1 }, world.parts);
    const ages = await agesAfter(world.sandbox, pos);
    const { p50, p99 } = summarise(ages, seconds);
    const { perSecond, unexpected, firstUnexpected, cpu } = result;
    return {
      value: p99,
      perSecond,
      p50,
      p99,
      notes: [
        `${ages.length} events looked at; ${Math.round(perSecond)} payments/s of ${paymentsPerSecond} that were asked for`,
        cpuNote(cpu, 'a payment'),
      ],
      ...(unexpected > 0 || ages.length === 0
        ? { problem: `${unexpected} unexpected answers: ${firstUnexpected ?? 'none came'}` }
        : {}),
    };
  } finally {
    await world.stop();
  }
};

export const eventAgeRow: FigureRow = {
  name: 'event-age',
  title: 'event age, commit to JetStream, 500 payments/s',
  targets: { sandbox: { atMost: 50, unit: 'ms' }, production: { atMost: 100, unit: 'ms' } },
  measure: eventAge,
};
