import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { readDto } from '@xs2a/runtime/read-dto';
import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';
import { BankFault } from '../../port/bank-fault.js';
import { deriveHoldId } from '../../port/booking-keys.js';
import type { PayerContext } from '../../port/payees.js';
import { isCreatedBy } from '../people/created-psus.js';
import {
  type Offers,
  type PayeeOutcome,
  payeeOutcomes,
  type SimulatedOutcome,
  simulationDto,
} from './simulation.dto.js';

/** The duration of a simulated slow call in milliseconds, which is shorter than every timeout of the services. */
const slowMs = 1500;

export interface Simulation {
  readonly psuId: string;
  readonly outcome: SimulatedOutcome;
  /** The number of calls that get this outcome. Repeated calls for the same payment count as one. */
  readonly calls: number;
}

/**
 * SQL condition that is true while an outcome is to be simulated for the PSU given by the expression `psuId`. It
 * needs only an index lookup.
 */
export const isSimulated = (psuId: string): string =>
  `EXISTS (SELECT FROM simulation s WHERE s.psu_id = ${psuId} AND s.calls_left > 0)`;

/**
 * The outcomes to be simulated for PSUs of the sandbox bank. They exist only for tests by TPPs and are not rules
 * of the bank.
 */
export class Simulations {
  constructor(
    private readonly pool: Pool,
    /** What the bank offers now; a switch-over to the euro changes it. */
    private readonly offers: () => Offers,
  ) {}

  /**
   * Sets the outcome to simulate for a PSU and replaces the previous outcome. Fails with resourceUnknown if the PSU does not
   * exist, or if `createdBy` names a TPP that did not create the PSU.
   */
  async force(
    body: unknown,
    createdBy?: string,
  ): Promise<Simulation | { readonly refused: readonly Failure[] }> {
    const read = readDto(simulationDto(this.offers()), body);
    if ('failures' in read) return { refused: read.failures };
    const { psuId, outcome, calls = 1 } = read.dto;
    const { rowCount } = await this.pool.query(
      `INSERT INTO simulation (psu_id, outcome, calls_left) SELECT p.psu_id, $2, $3 FROM psu p
       WHERE p.psu_id = $1 AND ($4::text IS NULL OR ${isCreatedBy('$4', 'p.psu_id')})
       ON CONFLICT (psu_id) DO UPDATE SET outcome = excluded.outcome, calls_left = excluded.calls_left, payments = '{}'`,
      [psuId, outcome, outcome === 'none' ? 0 : calls, createdBy],
    );
    return rowCount === 1 ? { psuId, outcome, calls } : { refused: [fail('resourceUnknown')] };
  }

  /**
   * Counts one call of the PSU and returns its outcome if it is one of `outcomes`. The count is exact even with
   * parallel calls.
   */
  async take(psuId: string, outcomes: readonly SimulatedOutcome[]): Promise<SimulatedOutcome | undefined> {
    const { rows } = await this.pool.query<{ outcome: SimulatedOutcome }>(
      `UPDATE simulation SET calls_left = calls_left - 1
       WHERE psu_id = $1 AND calls_left > 0 AND outcome = ANY($2::text[]) RETURNING outcome`,
      [psuId, outcomes],
    );
    return rows[0]?.outcome;
  }

  /**
   * Finds the debtor accounts in the list for which an outcome is to be simulated, or from which a payment was
   * refused due to insufficient funds.
   */
  async ofAccounts(ibans: readonly string[]): Promise<ReadonlyMap<string, SimulatedOutcome>> {
    const { rows } = await this.pool.query<{ iban: string; outcome: SimulatedOutcome }>({
      name: 'simulated-accounts',
      text: `SELECT a.iban, s.outcome FROM account a JOIN simulation s ON s.psu_id = a.psu_id
        WHERE a.iban = ANY($1::text[])
          AND (s.calls_left > 0 OR (s.outcome IN ('insufficient-funds', 'instant-limit') AND s.payments <> '{}'))`,
      values: [[...new Set(ibans)]],
    });
    return new Map(rows.map(({ iban, outcome }) => [iban, outcome]));
  }

  /**
   * Decides the outcome of a payment from this account now. A payment that was refused due to insufficient funds
   * is refused again without being counted, because settlement may repeat the call before it records the refusal.
   * A payment whose money is already held has no simulated outcome: if it were refused now, the hold would never
   * be released.
   */
  async takeForPayment(paymentId: string, iban: string): Promise<SimulatedOutcome | undefined> {
    const { rows } = await this.pool.query<{ outcome: SimulatedOutcome }>(
      `UPDATE simulation s SET
         calls_left = CASE WHEN s.outcome = 'insufficient-funds' AND $1::uuid = ANY(s.payments)
           THEN s.calls_left ELSE s.calls_left - 1 END,
         payments = CASE WHEN $1::uuid = ANY(s.payments) THEN s.payments ELSE s.payments || $1::uuid END
       FROM account a WHERE a.iban = $2 AND s.psu_id = a.psu_id
         AND s.outcome IN ('insufficient-funds', 'core-bank-down', 'slow')
         AND (s.calls_left > 0 OR (s.outcome = 'insufficient-funds' AND $1::uuid = ANY(s.payments)))
         AND NOT EXISTS (SELECT FROM transfer t WHERE t.id = $3)
       RETURNING s.outcome`,
      [paymentId, iban, deriveHoldId(paymentId)],
    );
    return rows[0]?.outcome;
  }

  /**
   * Decides how the payees of a payment are verified now. The payment is counted once, however many payees it has
   * and however often it is asked about.
   */
  async takeForPayee({ psuId, paymentId }: PayerContext): Promise<PayeeOutcome | undefined> {
    const { rows } = await this.pool.query<{ outcome: PayeeOutcome }>(
      `UPDATE simulation SET
         calls_left = CASE WHEN $1::uuid = ANY(payments) THEN calls_left ELSE calls_left - 1 END,
         payments = CASE WHEN $1::uuid = ANY(payments) THEN payments ELSE payments || $1::uuid END
       WHERE psu_id = $2 AND outcome = ANY($3::text[]) AND (calls_left > 0 OR $1::uuid = ANY(payments))
       RETURNING outcome`,
      [paymentId, psuId, payeeOutcomes],
    );
    return rows[0]?.outcome;
  }

  /**
   * Returns the outcome to simulate for an instant payment from this account if it is one of `outcomes`. A payment
   * that is asked about again meets the same outcome again and is not counted.
   */
  async takeForInstant<Outcome extends SimulatedOutcome>(
    paymentId: string,
    iban: string,
    outcomes: readonly Outcome[],
  ): Promise<Outcome | undefined> {
    const { rows } = await this.pool.query<{ outcome: Outcome }>(
      `UPDATE simulation s SET
         calls_left = CASE WHEN $1::uuid = ANY(s.payments) THEN s.calls_left ELSE s.calls_left - 1 END,
         payments = CASE WHEN $1::uuid = ANY(s.payments) THEN s.payments ELSE s.payments || $1::uuid END
       FROM account a WHERE a.iban = $2 AND s.psu_id = a.psu_id AND s.outcome = ANY($3::text[])
         AND (s.calls_left > 0 OR $1::uuid = ANY(s.payments))
       RETURNING s.outcome`,
      [paymentId, iban, outcomes],
    );
    return rows[0]?.outcome;
  }
}

/** Simulates the outcomes that affect a whole call: a bank that is down or slow. */
export const play = async (outcome: SimulatedOutcome | undefined): Promise<void> => {
  if (outcome === 'core-bank-down') throw new BankFault('unavailable', 'simulated');
  if (outcome === 'slow') await setTimeout(slowMs);
};
