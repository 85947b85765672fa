import type { FigureOptions } from '../../figure.js';
import { connections } from '../../hops/hops.js';
import { agesAfter, readHead } from '../../load/commit-times.js';
import { summarise } from '../../load/latency.js';
import { measure } from '../../load/measure.js';
import { postPayments } from '../../rows/payment-rows.js';
import type { Measured } from '../growth.js';
import type { HistoryWorld } from '../history-world.js';

const paymentsPerSecond = 200;
const rounds = 4;

/** Ages of the events during some seconds of POST payment, in milliseconds from commit to JetStream. */
const agesOf = async ({ world }: HistoryWorld, seconds: number): Promise<readonly number[]> => {
  const pos = await readHead(world.sandbox);
  const plan = {
    ...world.entrance,
    ...(await postPayments(world)),
    once: false,
    connections,
    pace: paymentsPerSecond,
    seconds,
    warmUpSeconds: 1,
  };
  const { unexpected, firstUnexpected } = await measure(plan, world.parts);
  if (unexpected > 0) throw new Error(`event age: ${unexpected} unexpected answers: ${firstUnexpected}`);
  return agesAfter(world.sandbox, pos);
};

/** Both services in turns, at a pace below the machine's limit. Their median ages are compared, which a single pause does not change. */
export const measureEventAge = async (
  worlds: readonly [HistoryWorld, HistoryWorld],
  { seconds }: FigureOptions,
): Promise<Measured> => {
  const ages: Record<HistoryWorld['name'], number[]> = { few: [], many: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const history of worlds)
      ages[history.name].push(...(await agesOf(history, Math.ceil(seconds / rounds))));
  const [few, many] = [summarise(ages.few, seconds), summarise(ages.many, seconds)];
  return {
    name: 'event age, commit to JetStream',
    few: few.p50,
    many: many.p50,
    isLinear: false,
    note: `p50 ${few.p50.toFixed(1)} → ${many.p50.toFixed(1)} ms, p99 ${few.p99.toFixed(0)} → ${many.p99.toFixed(0)} ms at ${paymentsPerSecond}/s`,
  };
};
