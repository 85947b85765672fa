import { type DuePlace, readDuePayments } from '@xs2a/contracts/payments.contract';
import { advanceClock } from '@xs2a/contracts/accounts.contract';
import type { ServiceCalls } from '@xs2a/sandbox/services/service-calls';
import { BenchWorld } from '../world/bench-world.js';
import { withCalls } from '../world/direct-calls.js';
import type { FigureOptions, FigureRow, Found } from '../figure.js';
import { realTime } from '../world/real-time.js';
import { signOrders } from '../world/signed-orders.js';
import { waitUntil } from '../world/wait-until.js';
import { withClient } from '../world/with-client.js';

const dayMs = 24 * 60 * 60 * 1000;
/** The settlement worker's page size. */
const pageSize = 800;

/** Reads due work page by page, as the settlement worker does before it settles. Returns the count and the slowest page. */
const readAllDue = async (serviceCalls: ServiceCalls): Promise<{ due: number; maxMs: number }> => {
  let [due, maxMs] = [0, 0];
  let after: DuePlace | undefined;
  do {
    const begun = performance.now();
    const { payments, next } = await serviceCalls.call(readDuePayments, { after, limit: pageSize });
    maxMs = Math.max(maxMs, performance.now() - begun);
    due += payments.length;
    after = next;
  } while (after !== undefined);
  return { due, maxMs };
};

const measureDue = async (world: BenchWorld, orders: number, say: (text: string) => void): Promise<Found> =>
  withCalls(world.sandbox, async (serviceCalls) =>
    withClient(world.sandbox.databaseUrl('postgres'), async (client): Promise<Found> => {
      // The due work is not executed: only the search is measured.
      await world.sandbox.services['settlement-worker'].stop();
      say(`  ${orders} active orders`);
      const startDate = new Date(realTime.nowMs() + 2 * dayMs).toISOString().slice(0, 10);
      await signOrders(world.sandbox, orders, startDate);
      await client.query('ANALYZE payments.payment_view');
      await serviceCalls.call(advanceClock, { byMs: 3 * dayMs });
      await waitUntil(
        async () => (await serviceCalls.call(readDuePayments, { limit: 1 })).payments.length > 0,
        25,
      );
      const first = performance.now();
      await readAllDue(serviceCalls);
      const firstSeconds = (performance.now() - first) / 1000;
      const begun = performance.now();
      const { due, maxMs } = await readAllDue(serviceCalls);
      const seconds = (performance.now() - begun) / 1000;
      const perSecond = due / seconds;
      return {
        value: perSecond,
        perSecond,
        notes: [
          `${due.toLocaleString('en-US')} occurrences found in ${seconds.toFixed(2)} s, the first time in ${firstSeconds.toFixed(2)} s; the longest page of ${pageSize} took ${Math.round(maxMs)} ms`,
        ],
        ...(due === orders ? {} : { problem: `of ${orders} orders ${due} are due` }),
      };
    }),
  );

const dueOrders = async (options: FigureOptions): Promise<Found> => {
  const { payments = 100_000, say } = options;
  const world = await BenchWorld.start(options);
  try {
    return await measureDue(world, payments, say);
  } finally {
    await world.stop();
  }
};

export const dueOrdersRow: FigureRow = {
  name: 'due-orders',
  title: 'occurrences due today of 100,000 active orders, found',
  targets: { sandbox: { atLeast: 5000, unit: '/s' } },
  measure: dueOrders,
};
