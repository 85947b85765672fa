import type { FigureRow } from '../row.js';
import { initiateMany, readStatus } from './payment-rows.js';
import { compareServices } from './two-services.js';

/** So few that none has a row. */
const none = 999_999_999;

export const callRowsRow: FigureRow = {
  name: 'call-rows',
  title: 'GET payment status with a row for one in ten calls, CPU time relative to none',
  targets: { sandbox: { atMost: 1.05, unit: '×' } },
  measure: async (options) => {
    const { found } = await compareServices(options, {
      without: { callsOneIn: none },
      on: { callsOneIn: 10 },
      prepare: async (world) => readStatus(world, await initiateMany(world, 10_000)),
    });
    return found;
  },
};
