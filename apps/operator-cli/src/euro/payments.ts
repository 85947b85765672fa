import { rejectBasketInLeva } from '@xs2a/domain/switch-over/convert-basket';
import { lacksTaxpayer, type SwitchOver, switchPayment } from '@xs2a/domain/switch-over/convert-payment';
import type { SwitchOverFigures } from '@xs2a/domain/switch-over/report';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import { createLogger } from '@xs2a/observability/logger';
import { createBasketStore, createPaymentStore } from '@xs2a/payments/read-models';
import { Clock } from '@xs2a/runtime/clock';
import { failpoint } from '@xs2a/runtime/failpoint';
import type { Pool } from 'pg';
import type { Connections } from '../connections.js';
import { Refusal } from '../command-line/refusal.js';
import { streamsAtOnce } from '../privacy/stream-pages.js';

/** The actor in the events of the switch-over. */
const switchActor = 'euro-switch';

/** Returns the bank's clock. */
export const openClock = async (connections: Connections): Promise<Clock> => {
  const clock = new Clock(true);
  clock.raiseTo(await connections.clockOffsetMs());
  return clock;
};

/** Opens the streams of payments and baskets, by the bank's clock. */
export const openStores = async (connections: Connections) => {
  const clock = await openClock(connections);
  const settings = { MASTER_KEYS: await connections.mustHaveMasterKeys('payments') };
  const given = [connections.pool('payments'), clock, createLogger('payments', 'silent'), settings] as const;
  return { payments: createPaymentStore(...given), baskets: createBasketStore(...given) };
};
export type Stores = Awaited<ReturnType<typeof openStores>>;

/** Yields the ids of the rows of a status view that satisfy a condition, in pages. */
export async function* pagesWhere(
  pool: Pick<Pool, 'query'>,
  view: 'payment_view' | 'basket_view' | 'consent_view',
  condition: string,
): AsyncGenerator<readonly string[]> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await pool.query<{ id: string }>(
      `SELECT stream_id AS id FROM ${view} WHERE stream_id > $1 AND ${condition} ORDER BY stream_id LIMIT ${streamsAtOnce}`,
      [after],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ id }) => id);
    after = last.id;
  }
}

const isOpen = "(status IN ('RCVD', 'PATC', 'ACCP', 'ACSP') OR due_at IS NOT NULL)";

/** Yields the payments that have not ended. */
export async function* openPayments(
  connections: Connections,
  { payments }: Stores,
): AsyncGenerator<readonly PaymentState[]> {
  for await (const ids of pagesWhere(connections.patientPool('payments'), 'payment_view', isOpen))
    yield [...(await payments.many.load(ids)).values()].map(({ state }) => state);
}

/** Rejects the baskets that await a signature and hold a payment in leva. */
const rejectBaskets = async (connections: Connections, { payments, baskets }: Stores): Promise<void> => {
  const unsigned = "stage IN ('received', 'partlySigned')";
  for await (const ids of pagesWhere(connections.patientPool('payments'), 'basket_view', unsigned)) {
    const loaded = [...(await baskets.many.load(ids)).values()].map(({ state }) => state);
    const items = await payments.many.load([...new Set(loaded.flatMap(({ paymentIds }) => paymentIds))]);
    const statesOf = (paymentIds: readonly string[]): PaymentState[] =>
      paymentIds.flatMap((id) => items.get(id)?.state ?? []);
    await baskets.many.change(ids, (state) => rejectBasketInLeva(state, statesOf(state.paymentIds)), {
      actor: switchActor,
    });
  }
};

/**
 * Rejects and converts the payments that have not ended; a repeat changes nothing. Throws {@link Refusal} if one has to
 * be settled in leva first, or cannot be read.
 */
export const switchPayments = async (
  connections: Connections,
  stores: Stores,
  switchOver: SwitchOver,
): Promise<void> => {
  await rejectBaskets(connections, stores);
  failpoint('euro.baskets-rejected');
  for await (const ids of pagesWhere(connections.patientPool('payments'), 'payment_view', isOpen)) {
    const results = await stores.payments.many.change(ids, (state) => switchPayment(state, switchOver), {
      actor: switchActor,
    });
    const left = [...results].filter(([, result]) => 'refused' in result).map(([id]) => id);
    if (left.length > 0) throw new Refusal(`These payments could not be converted: ${left.join(', ')}.`);
    failpoint('euro.payments-converted');
  }
};

/** Reads from the events and states what the switch-over did to payments. */
export const readSwitched = async (
  connections: Connections,
  { payments }: Stores,
  settledBefore: number,
): Promise<Pick<SwitchOverFigures, 'payments' | 'attention'>> => {
  const pool = connections.patientPool('payments');
  const { rows } = await pool.query<{ id: string; service: string; product: string }>(
    `SELECT DISTINCT v.stream_id AS id, v.service, v.product FROM events e JOIN payment_view v USING (stream_id)
     WHERE e.type = 'converted-to-euro' ORDER BY v.stream_id`,
  );
  const count = (service: string): number => rows.filter((row) => row.service === service).length;
  const { rows: rejected } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM payment_view WHERE rejection_reason = 'lev-ended'`,
  );
  const attention: SwitchOverFigures['attention'][number][] = [];
  for (const { id } of rows.filter(({ product }) => product === 'domestic-budget-transfer-BGN')) {
    const state = (await payments.load(id))?.state;
    if (state !== undefined && lacksTaxpayer(state))
      attention.push({ paymentId: id, why: 'budget-without-identifier' });
  }
  return {
    payments: {
      settledBefore,
      converted: count('payments'),
      orders: count('periodic-payments'),
      bulks: count('bulk-payments'),
      rejectedUnsigned: rejected[0]?.count ?? 0,
    },
    attention,
  };
};
