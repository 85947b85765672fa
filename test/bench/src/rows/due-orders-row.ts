import {
  acceptPayment,
  type DuePlace,
  initiatePayment,
  readDuePayments,
  signPayment,
} from '@xs2a/contracts/payments.contract';
import { advanceClock } from '@xs2a/contracts/accounts.contract';
import type { ServiceCalls } from '@xs2a/sandbox/services/service-calls';
import type { Client } from 'pg';
import { BenchWorld } from '../world/bench-world.js';
import { withCalls } from '../world/direct-calls.js';
import type { FigureOptions, FigureRow, Found } from '../figure.js';
import { realTime } from '../world/real-time.js';
import { customers, inTurn } from '../world/customers.js';
import { paymentBody, product } from '../world/signed-payments.js';
import { waitUntil } from '../world/wait-until.js';
import { withClient } from '../world/with-client.js';

const dayMs = 24 * 60 * 60 * 1000;
/** The page size with which the settlement worker asks. */
const pageSize = 800;

/** A daily order that begins in some days, signed. Answers its id. */
const signOrder = async (serviceCalls: ServiceCalls, inDays: number): Promise<string> => {
  const { psuId, iban } = inTurn(0);
  const startDate = new Date(realTime.nowMs() + inDays * dayMs).toISOString().slice(0, 10);
  const { paymentId, authorisationId = '' } = await serviceCalls.call(initiatePayment, {
    tppId: 'sandbox-tpp',
    service: 'periodic-payments',
    product,
    body: { ...paymentBody(iban), frequency: 'Daily', startDate },
    attempt: { path: 'POST /periodic-payments/domestic', hash: '' },
    redirectUris: {},
  });
  await serviceCalls.call(acceptPayment, { paymentId, authorisationId, psuId });
  await serviceCalls.call(signPayment, { paymentId, authorisationId, psuId });
  return paymentId;
};

/** Rows of the status view like that of an order, under ids and of debtors of their own: what the search for due work reads. */
const copyOrder = async (client: Client, orderId: string, copies: number): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'payments.payment_view'::regclass
       AND attnum > 0 AND NOT attisdropped AND attidentity = '' AND attgenerated = '' ORDER BY attnum`,
  );
  const own: Readonly<Record<string, string>> = {
    stream_id: 'copy.id',
    state: `(replace(state::text, $3, copy.iban)::jsonb || jsonb_build_object('paymentId', copy.id))::json`,
  };
  const names = rows.map(({ name }) => name);
  await client.query(
    `INSERT INTO payments.payment_view (${names.join(', ')})
     SELECT ${names.map((name) => own[name] ?? `model.${name}`).join(', ')}
     FROM (SELECT gen_random_uuid() AS id, ($4::text[])[1 + n % cardinality($4::text[])] AS iban
       FROM generate_series(1, $2::int) AS n) AS copy
     CROSS JOIN (SELECT * FROM payments.payment_view WHERE stream_id = $1) AS model`,
    [orderId, copies, inTurn(0).iban, customers.map(({ iban }) => iban)],
  );
  await client.query('ANALYZE payments.payment_view');
};

/** Reads page by page what is due, as the settlement worker does before it settles. Answers how many and the longest page. */
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
      // Nobody executes what is found: only the search is measured.
      await world.sandbox.services['settlement-worker'].stop();
      const orderId = await signOrder(serviceCalls, 2);
      say(`  ${orders} active orders`);
      await copyOrder(client, orderId, orders - 1);
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
