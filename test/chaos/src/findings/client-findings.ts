import { parseJson } from '@xs2a/tpp-client/http';
import { basketFindings } from './basket-findings.js';
import type { ClientLog, ConsentRecord, PaymentRecord } from '../load/client-log.js';
import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { streamKeyOf, unwrapped } from '@xs2a/event-store/encryption/stream-keys';
import { readState, type StateRow } from '@xs2a/event-store/streams/view-state';
import type { ClientFindings } from '@xs2a/invariants/invariants';
import { instantFindings } from './instant-findings.js';
import { orderFindings } from '../load/orders-and-bulks.js';
import { isUnknown, toPath } from '../load/steady-tpp.js';
import { findMissingNotifications } from './missing-notifications.js';
import type { ChaosWorld } from '../world.js';

/** The statuses that may come after each status. `ACCP-` is ACCP with fundsAvailable=false, which is final. */
const later: Readonly<Record<string, readonly string[]>> = {
  RCVD: ['ACTC', 'ACCP', 'ACCP-', 'ACSP', 'ACSC', 'CANC', 'RJCT'],
  ACCP: ['ACCP-', 'ACSP', 'ACSC', 'CANC', 'RJCT'],
  ACSP: ['ACSC'],
  // Only baskets have this status.
  ACTC: ['ACSC'],
};
const atOnce = 8;
const unattendedPerDay = 4;

type Known = Pick<ChaosWorld, 'tpp' | 'schemas' | 'log' | 'masterKeys'> &
  Partial<Pick<ChaosWorld, 'receiver'>>;

/**
 * Reads everything back from the service after a run, and compares it with the responses that clients received
 * (invariant 3, and the part of invariant 8 that concerns clients).
 */
export const clientFindings = async (world: Known, ibans: readonly string[]): Promise<ClientFindings> => {
  const { log } = world;
  const violations = [...log.surprises];
  const waiting = [...log.payments];
  const settled: PaymentRecord[] = [];
  const worker = async (): Promise<void> => {
    for (let payment = waiting.pop(); payment !== undefined; payment = waiting.pop()) {
      const { status, found } = await paymentFindings(world, payment);
      violations.push(...found);
      if (status === 'ACSC') settled.push(payment);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  for (const payment of log.instants) {
    const { found, settled: amount } = await instantFindings(world, payment, backwardSteps);
    violations.push(...found);
    settled.push({ ...payment, amount });
  }
  violations.push(...(await doubled(world, ibans)), ...(await balances(world, ibans, settled)));
  if (world.receiver !== undefined)
    violations.push(...(await findMissingNotifications(world.schemas, world.receiver)));
  for (const payment of log.ordersAndBulks) violations.push(...(await orderFindings(world, payment)));
  violations.push(...(await basketFindings(world, backwardSteps)));
  for (const consent of log.consents) violations.push(...(await consentFindings(world, consent)));
  return {
    acknowledged: [log.payments, log.ordersAndBulks, log.instants, log.baskets, log.consents].flat().length,
    violations,
    windows: log.consents.flatMap((consent) => readsBeyondLimit(log, consent)),
  };
};

const paymentFindings = async (
  { tpp, log }: Known,
  payment: PaymentRecord,
): Promise<{ readonly status?: string; readonly found: readonly string[] }> => {
  const { paymentId, amount, signed, cancelled } = payment;
  const answer = await tpp.insist('GET', toPath(payment));
  if (isUnknown(answer.status) && !log.mustBeKnown(payment)) return { found: [] };
  if (answer.status !== 200) return { found: [`payment ${paymentId} is lost: ${answer.status}`] };
  const found: string[] = [];
  const body = parseJson<{ instructedAmount: { amount: string } }>(answer);
  if (body.instructedAmount.amount !== (amount / 100).toFixed(2))
    found.push(`payment ${paymentId} is another one`);
  const status = await tpp.status(payment);
  found.push(...backwardSteps(log, `payment ${paymentId}`, payment.seen));
  const isCancelled = status === 'CANC' && cancelled !== undefined;
  if (log.isCertain(cancelled) && !isCancelled)
    found.push(`payment ${paymentId} was cancelled but is ${status}`);
  else if (log.isCertain(signed) && !isCancelled && !['ACSC', 'ACCP-'].includes(status))
    found.push(`payment ${paymentId} was signed but is ${status}`);
  if (signed === undefined && ['ACSP', 'ACSC'].includes(status))
    found.push(`payment ${paymentId} was not signed but is ${status}`);
  return { status, found };
};

/**
 * Returns the steps in which a status moved backward, which may happen only if the database was restored to an
 * earlier state.
 */
const backwardSteps = (
  log: ClientLog,
  name: string,
  seen: PaymentRecord['seen'],
  allowed = later,
): string[] => {
  const found = new Set<string>();
  for (const history of log.histories(seen, ({ asked }) => asked)) {
    for (const [index, { status }] of history.slice(1).entries()) {
      const before = history[index]?.status ?? '';
      if (status !== before && !allowed[before]?.includes(status))
        found.add(`${name} went from ${before} to ${status}`);
    }
  }
  return [...found];
};

const consentFindings = async ({ tpp, log }: Known, consent: ConsentRecord): Promise<string[]> => {
  const { consentId, authorised } = consent;
  const answer = await tpp.insist('GET', `/v1/consents/${consentId}/status`);
  if (isUnknown(answer.status) && !log.mustBeKnown(consent)) return [];
  if (answer.status !== 200) return [`consent ${consentId} is lost: ${answer.status}`];
  const { consentStatus } = parseJson<{ consentStatus: string }>(answer);
  // A newer consent of the same PSU terminates an older one.
  return log.isCertain(authorised) && !['valid', 'expired', 'terminatedByTpp'].includes(consentStatus)
    ? [`consent ${consentId} was authorised but is ${consentStatus}`]
    : [];
};

/** Returns reads without a PSU above the limit, regardless of data that the database has lost. */
const readsBeyondLimit = (log: ClientLog, { consentId, unattended }: ConsentRecord): string[] =>
  [...unattended].flatMap(([what, reads]) => {
    const maxReads = Math.max(...log.histories(reads, (asked) => asked).map(({ length }) => length));
    return maxReads > unattendedPerDay
      ? [`consent ${consentId}: ${maxReads} reads of ${what} were answered`]
      : [];
  });

/** Returns payments from the clients' accounts that no client initiated. */
const doubled = async ({ schemas, log, masterKeys }: Known, ibans: readonly string[]): Promise<string[]> => {
  const { rows } = await schemas
    .of('payments')
    .query<StateRow>(
      `SELECT stream_id, version, state, ${streamKeyOf('v')} AS stream_key FROM payment_view v`,
    );
  const isFrom = (row: StateRow): boolean => {
    const key = unwrapped(row.stream_key, { masterKeys });
    const { state } = readState<{ readonly order?: Partial<PaymentOrder> }>(row, { stateVersion: 0, key });
    return ibans.includes(state.order?.debtorIban ?? '');
  };
  const known = new Set([...log.payments, ...log.instants].map(({ paymentId }) => paymentId));
  return rows
    .filter((row) => !known.has(row.stream_id) && isFrom(row))
    .map(({ stream_id }) => `payment ${stream_id} was created twice: no client knows it`);
};

/** Checks that the debits and credits of each account match the clients' settled payments exactly. */
const balances = async (
  { schemas }: Known,
  ibans: readonly string[],
  settled: readonly PaymentRecord[],
): Promise<string[]> => {
  const sum = (which: (payment: PaymentRecord) => boolean): number =>
    settled.filter(which).reduce((total, { amount }) => total + amount, 0);
  const { rows } = await schemas.of('accounts').query<{ iban: string; debited: number; credited: number }>(
    `SELECT a.iban, l.debits_posted AS debited,
       coalesce((SELECT sum(t.amount) FROM transfer t WHERE t.credit_account = l.id AND t.kind = 'post'), 0)::bigint AS credited
     FROM account a JOIN ledger_account l USING (id) WHERE a.iban = ANY($1)`,
    [ibans],
  );
  return rows.flatMap(({ iban, debited, credited }) => [
    ...(debited === sum(({ debtorIban }) => debtorIban === iban)
      ? []
      : [`account …${iban.slice(-4)}: ${debited} left it, but its payments say otherwise`]),
    ...(credited === sum(({ creditorIban }) => creditorIban === iban)
      ? []
      : [`account …${iban.slice(-4)}: ${credited} reached it, but its payments say otherwise`]),
  ]);
};
