import type { FigureOptions } from '../../figure.js';
import { connections } from '../../hops/hops.js';
import { inTurns } from '../../hops/turns.js';
import type { Measured as MeasuredLoad } from '../../load/measure.js';
import type { Prepared } from '../../row.js';
import type { HistoryWorld } from '../history-world.js';
import type { Measured } from '../growth.js';

const sumCpu = ({ cpu }: MeasuredLoad): number => cpu.reduce((sum, [, ms]) => sum + ms, 0);
const describe = (few: MeasuredLoad, many: MeasuredLoad): string =>
  `${Math.round(few.perSecond)}/s → ${Math.round(many.perSecond)}/s, p99 ${few.p99.toFixed(0)} → ${many.p99.toFixed(0)} ms, CPU ms ${sumCpu(few).toFixed(2)} → ${sumCpu(many).toFixed(2)}`;

/** Sends the same requests to both services in turns of 2 s. Throws on an unexpected status. */
export const measureRequests = async (
  name: string,
  [few, many]: readonly [HistoryWorld, HistoryWorld],
  prepare: (world: HistoryWorld) => Promise<Prepared>,
  { seconds, warmUpSeconds }: FigureOptions,
): Promise<Measured> => {
  const turn = async ({ world, ...history }: HistoryWorld) => ({
    plan: {
      ...world.entrance,
      connections,
      seconds,
      warmUpSeconds,
      once: false,
      ...(await prepare({ world, ...history })),
    },
    parts: world.parts,
  });
  const [ofFew, ofMany] = await inTurns([await turn(few), await turn(many)], seconds);
  if (ofFew === undefined || ofMany === undefined) throw new Error(`${name} was not measured`);
  for (const { unexpected, firstUnexpected, answered } of [ofFew, ofMany])
    if (unexpected > 0 || answered === 0)
      throw new Error(`${name}: ${unexpected} unexpected answers: ${firstUnexpected ?? 'none came'}`);
  return {
    name,
    few: sumCpu(ofFew),
    many: sumCpu(ofMany),
    isLinear: false,
    note: describe(ofFew, ofMany),
  };
};
