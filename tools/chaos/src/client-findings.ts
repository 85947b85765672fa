import { jsonOf } from '@xs2a/sandbox/http';
import type { PaymentRecord } from './client-log.js';
import type { ClientFindings } from './invariants.js';
import { domesticPath } from './steady-tpp.js';
import type { ChaosWorld } from './world.js';

/** What may come after a status; `ACCP-` is final without funds. */
const later: Readonly<Record<string, readonly string[]>> = {
  RCVD: ['ACCP', 'ACCP-', 'ACSP', 'ACSC', 'CANC', 'RJCT'],
  ACCP: ['ACCP-', 'ACSP', 'ACSC', 'CANC', 'RJCT'],
  ACSP: ['ACSC'],
};
const atOnce = 8;

type Known = Pick<ChaosWorld, 'tpp' | 'schemas' | 'log'>;

/** What the clients find when all is over, compared with what they were told on the way (invariant 3, and their part of 8). */
export const clientFindings = async (world: Known, ibans: readonly string[]): Promise<ClientFindings> => {
  const { log } = world;
  const violations = [...log.surprises];
  const waiting = [...log.payments];
  const worker = async (): Promise<void> => {
    for (let payment = waiting.pop(); payment !== undefined; payment = waiting.pop())
      violations.push(...(await paymentFindings(world, payment)));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  violations.push(...(await doubled(world, ibans)), ...(await balances(world, ibans)));
  for (const { consentId, valid } of log.consents)
    violations.push(...(await consentFindings(world, consentId, valid)));
  const windows = log.consents.flatMap(({ consentId, unattended }) =>
    [...unattended]
      .filter(([, count]) => count > 4)
      .map(([what, count]) => `consent ${consentId}: ${count} reads of ${what} were answered`),
  );
  return { acknowledged: log.payments.length + log.consents.length, violations, windows };
};

const paymentFindings = async ({ tpp }: Known, payment: PaymentRecord): Promise<string[]> => {
  const { paymentId, amount, seen, signed, cancellation } = payment;
  const answer = await tpp.insist('GET', `${domesticPath}/${paymentId}`);
  if (answer.status !== 200) return [`payment ${paymentId} is lost: ${answer.status}`];
  const found: string[] = [];
  const body = jsonOf<{ instructedAmount: { amount: string } }>(answer);
  if (body.instructedAmount.amount !== (amount / 100).toFixed(2))
    found.push(`payment ${paymentId} is another one`);
  const status = await tpp.status(payment);
  for (const [index, next] of seen.slice(1).entries()) {
    const before = seen[index] ?? '';
    if (!later[before]?.includes(next)) found.push(`payment ${paymentId} went from ${before} to ${next}`);
  }
  if (cancellation === 'acknowledged' && status !== 'CANC')
    found.push(`payment ${paymentId} was cancelled and is ${status}`);
  if (signed && cancellation !== 'acknowledged' && !['ACSC', 'ACCP-'].includes(status))
    found.push(`payment ${paymentId} was signed and is ${status}`);
  if (!signed && ['ACSP', 'ACSC'].includes(status))
    found.push(`payment ${paymentId} was not signed and is ${status}`);
  return found;
};

const consentFindings = async ({ tpp }: Known, consentId: string, valid: boolean): Promise<string[]> => {
  const answer = await tpp.insist('GET', `/v1/consents/${consentId}/status`);
  if (answer.status !== 200) return [`consent ${consentId} is lost: ${answer.status}`];
  const { consentStatus } = jsonOf<{ consentStatus: string }>(answer);
  // A newer consent of the same person ends an older one.
  return valid && !['valid', 'expired', 'terminatedByTpp'].includes(consentStatus)
    ? [`consent ${consentId} was authorised and is ${consentStatus}`]
    : [];
};

/** Payments from the clients' accounts of which no client knows. */
const doubled = async ({ schemas, log }: Known, ibans: readonly string[]): Promise<string[]> => {
  const { rows } = await schemas
    .of('payments')
    .query<{ stream_id: string }>(
      `SELECT stream_id FROM payment_view WHERE state->'order'->>'debtorIban' = ANY($1)`,
      [ibans],
    );
  const known = new Set(log.payments.map(({ paymentId }) => paymentId));
  return rows
    .filter(({ stream_id }) => !known.has(stream_id))
    .map(({ stream_id }) => `payment ${stream_id} was made twice: nobody was told of it`);
};

/** To the stotinka: what left and what reached each account is what the clients' settled payments say. */
const balances = async ({ schemas, log }: Known, ibans: readonly string[]): Promise<string[]> => {
  const settled = log.payments.filter(({ seen }) => seen.at(-1) === 'ACSC');
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
      : [`account …${iban.slice(-4)}: ${debited} left it, its payments say otherwise`]),
    ...(credited === sum(({ creditorIban }) => creditorIban === iban)
      ? []
      : [`account …${iban.slice(-4)}: ${credited} reached it, its payments say otherwise`]),
  ]);
};
