import type { InstantAnswer } from '@xs2a/domain/payment/instant/instant-answer';
import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import type { Clock } from '@xs2a/runtime/clock';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { InstantPort } from '../../port/instant.js';
import type { Simulations } from '../simulation/simulations.js';
import { type PayeeBehaviour, payeeBanks, settlesAtOnce, simulatedBehaviours } from './payee-banks.js';

/** Milliseconds before its deadline at which an order without an answer is given up, so that this answer is in time. */
const wayBackMs = 250;

type SimulatedName = keyof typeof simulatedBehaviours;
const simulatedNames = Object.keys(simulatedBehaviours) as readonly SimulatedName[];

interface OutcomeRow {
  readonly reasonCode: string | null;
  readonly knownMs: number;
}

const outcomeColumns = `reason_code AS "reasonCode", (extract(epoch FROM known_at) * 1000)::float8 AS "knownMs"`;

/**
 * The instant payments of the sandbox bank, whose payees' banks are a table (payee-banks.ts). The outcome is stored when an order
 * is first heard of, together with the real time from which it is known, so that a restart changes nothing.
 */
export class SandboxInstant implements InstantPort {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly simulations: Simulations,
  ) {}

  async sendInstant(paymentId: string, order: PaymentOrder, deadline: string): Promise<InstantAnswer> {
    const { reasonCode, knownMs } =
      (await this.find(paymentId)) ?? (await this.decide(paymentId, order, Date.parse(deadline)));
    const leftMs = knownMs - this.clock.realMs;
    if (leftMs > 0) await wait(leftMs);
    return reasonCode === null ? { outcome: 'settled' } : { outcome: 'rejected', reasonCode };
  }

  private async find(paymentId: string): Promise<OutcomeRow | undefined> {
    const { rows } = await this.pool.query<OutcomeRow>({
      name: 'instant-outcome',
      text: `SELECT ${outcomeColumns} FROM instant_order WHERE payment_id = $1`,
      values: [paymentId],
    });
    return rows[0];
  }

  /** Of several callers that hear of the order at the same time, the first one decides. */
  private async decide(paymentId: string, order: PaymentOrder, deadlineMs: number): Promise<OutcomeRow> {
    const nowMs = this.clock.realMs;
    const { answer, knownMs } =
      nowMs > deadlineMs
        ? { answer: sentTooLate, knownMs: nowMs }
        : outcomeBy(deadlineMs, nowMs, await this.behaviour(paymentId, order));
    const { rows } = await this.pool.query<OutcomeRow>({
      name: 'instant-decide',
      text: `INSERT INTO instant_order (payment_id, reason_code, known_at)
        VALUES ($1, $2, to_timestamp($3::float8 / 1000)) ON CONFLICT DO NOTHING RETURNING ${outcomeColumns}`,
      values: [paymentId, answer.outcome === 'settled' ? null : answer.reasonCode, knownMs],
    });
    const decided = rows[0] ?? (await this.find(paymentId));
    if (decided === undefined) throw new Error('the outcome of an instant order was not stored');
    return decided;
  }

  private async behaviour(paymentId: string, order: PaymentOrder): Promise<PayeeBehaviour> {
    const simulated = await this.simulations.takeForInstant(paymentId, order.debtorIban, simulatedNames);
    if (simulated !== undefined) return simulatedBehaviours[simulated];
    return payeeBanks.get(order.creditorAccount) ?? settlesAtOnce;
  }
}

const sentTooLate: InstantAnswer = { outcome: 'rejected', reasonCode: 'AB11' };
const noAnswer: InstantAnswer = { outcome: 'rejected', reasonCode: 'AB05' };

const outcomeBy = (
  deadlineMs: number,
  nowMs: number,
  { answer, afterMs }: PayeeBehaviour,
): { readonly answer: InstantAnswer; readonly knownMs: number } => {
  const lastMs = Math.max(nowMs, deadlineMs - wayBackMs);
  if (afterMs === undefined || nowMs + afterMs > lastMs) return { answer: noAnswer, knownMs: lastMs };
  return { answer, knownMs: nowMs + afterMs };
};
