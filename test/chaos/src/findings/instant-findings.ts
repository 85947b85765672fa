import { parseJson } from '@xs2a/tpp-client/http';
import type { ClientLog, PaymentRecord } from '../load/client-log.js';
import { formatMinor } from '../load/payment-forms.js';
import { isUnknown, toPath } from '../load/steady-tpp.js';
import type { ChaosWorld } from '../world.js';

/** The statuses that may come after each status of an instant payment, or of a bulk payment of them. */
const laterOfInstant: Readonly<Record<string, readonly string[]>> = {
  RCVD: ['ACCP', 'ACSP', 'ACSC', 'PART', 'RJCT', 'CANC'],
  ACCP: ['ACSP', 'ACSC', 'PART', 'RJCT', 'CANC'],
  ACSP: ['ACSC', 'PART', 'RJCT'],
};
const ends = new Set(['ACSC', 'PART', 'RJCT']);

type BackwardSteps = (
  log: ClientLog,
  name: string,
  seen: PaymentRecord['seen'],
  later: Readonly<Record<string, readonly string[]>>,
) => string[];

interface Part {
  readonly transactionStatus: string;
  readonly instructedAmount: { readonly amount: string };
}
const sumOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { instructedAmount }) => sum + Math.round(Number(instructedAmount.amount) * 100), 0);

/**
 * Returns one sentence for each contradiction between the service's data and the responses that clients received about
 * an instant payment or a bulk payment of them (invariant 3), and the settled amount in cents.
 */
export const instantFindings = async (
  { tpp, log }: Pick<ChaosWorld, 'tpp' | 'log'>,
  payment: PaymentRecord,
  backwardSteps: BackwardSteps,
): Promise<{ readonly found: readonly string[]; readonly settled: number }> => {
  const { paymentId, amount, signed, cancelled } = payment;
  const name = `payment ${paymentId}`;
  const answer = await tpp.insist('GET', toPath(payment));
  if (isUnknown(answer.status) && !log.mustBeKnown(payment)) return { found: [], settled: 0 };
  if (answer.status !== 200) return { found: [`${name} is lost: ${answer.status}`], settled: 0 };
  const body = parseJson<Part & { readonly payments?: readonly Part[] }>(answer);
  const parts = body.payments ?? [body];
  const found: string[] = [];
  if (sumOf(parts) !== amount) found.push(`${name} is another one: not of ${formatMinor(amount)}`);
  await tpp.status(payment);
  // An instant payment without funds is RJCT, also while fundsAvailable is false.
  const seen = payment.seen.map((one) => ({ ...one, status: one.status.replace('-', '') }));
  found.push(...backwardSteps(log, name, seen, laterOfInstant));
  const { transactionStatus: status } = body;
  if (log.isCertain(cancelled) && status !== 'CANC') found.push(`${name} was cancelled but is ${status}`);
  else if (log.isCertain(signed) && cancelled === undefined && !ends.has(status))
    found.push(`${name} was signed but is ${status}`);
  if (signed === undefined && ['ACSP', 'ACSC', 'PART'].includes(status))
    found.push(`${name} was not signed but is ${status}`);
  return { found, settled: sumOf(parts.filter(({ transactionStatus }) => transactionStatus === 'ACSC')) };
};
