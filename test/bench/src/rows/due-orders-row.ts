import { advanceClock } from '@xs2a/contracts/accounts.contract';
import { type DuePlace, readDuePayments } from '@xs2a/contracts/payments.contract';
import { type FigureRow, inWorld } from '../row.js';
import { signOrders } from '../streams/signed-orders.js';
import type { BenchWorld } from '../world/bench-world.js';
import { realTime } from '../world/real-time.js';
import { waitUntil } from '../world/wait-until.js';

const dayMs = 24 * 60 * 60 * 1000;
/** The settlement worker's page size. */
const pageSize = 800;

/** Reads due work page by page, as the settlement worker does before it settles. */
const readAllDue = async ({ calls }: BenchWorld) => {
  const begun = performance.now();
  let [due, maxMs] = [0, 0];
  let after: DuePlace | undefined;
  do {
    const asked = performance.now();
    const { payments, next } = await calls.call(readDuePayments, { after, limit: pageSize });
    maxMs = Math.max(maxMs, performance.now() - asked);
    due += payments.length;
    after = next;
  } while (after !== undefined);
  return { due, maxMs, seconds: (performance.now() - begun) / 1000 };
};

export const dueOrdersRow: FigureRow = {
  name: 'due-orders',
  title: 'occurrences due today of 100,000 active orders, found',
  targets: { sandbox: { atLeast: 15_000, unit: '/s' } },
  measure: inWorld(async (world, { payments: orders = 100_000, say }) => {
    // The due work is not executed, because only the search is measured.
    await world.sandbox.services['settlement-worker'].stop();
    say(`  ${orders} active orders`);
    const startDate = new Date(realTime.nowMs() + 2 * dayMs).toISOString().slice(0, 10);
    await signOrders(world.sandbox, orders, startDate);
    await world.query('ANALYZE payments.payment_view');
    await world.calls.call(advanceClock, { byMs: 3 * dayMs });
    await waitUntil(
      async () => (await world.calls.call(readDuePayments, { limit: 1 })).payments.length > 0,
      25,
    );
    const first = await readAllDue(world);
    const { due, maxMs, seconds } = await readAllDue(world);
    return {
      value: due / seconds,
      perSecond: due / seconds,
      notes: [
        `${due.toLocaleString('en-US')} occurrences found in ${seconds.toFixed(2)} s, the first time in ${first.seconds.toFixed(2)} s; the longest page of ${pageSize} took ${Math.round(maxMs)} ms`,
      ],
      problem: due === orders ? undefined : `of ${orders} orders ${due} are due`,
    };
  }),
};
