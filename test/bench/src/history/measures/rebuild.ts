import { projections, rebuild } from '../../rows/rebuild-row.js';
import type { Measured } from '../growth.js';
import type { HistoryWorld } from '../history-world.js';

/** The service's own command for each read model of payments. */
export const measureRebuilds = async ([few, many]: readonly [HistoryWorld, HistoryWorld]): Promise<
  Measured[]
> => {
  const measured: Measured[] = [];
  for (const projection of projections) {
    const [ofFew, ofMany] = [await rebuild(few.world, projection), await rebuild(many.world, projection)];
    const rate = ({ events, seconds }: typeof ofFew): string => `${Math.round(events / seconds)}/s`;
    measured.push({
      name: `rebuild of ${projection}`,
      few: (ofFew.seconds * 1e6) / ofFew.events,
      many: (ofMany.seconds * 1e6) / ofMany.events,
      isLinear: true,
      note: `${rate(ofFew)} → ${rate(ofMany)}`,
    });
  }
  return measured;
};
