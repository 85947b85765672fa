import type { AccountFacts } from '@xs2a/domain/account/debtor-account';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import { StatementQueue } from '@xs2a/postgres/statement-queue';
import type { Pool } from 'pg';
import type { Clock } from '@xs2a/runtime/clock';
import type { FundsAnswer, FundsPort, FundsQuestion } from '../../port/funds.js';
import { isSimulated, play, type Simulations } from '../simulation/simulations.js';
import {
  mustNotSwitch,
  parseSwitchOver,
  readSwitchOver,
  switchOverSetting,
} from '../switch-over/switch-over-setting.js';

interface FundsAccount {
  readonly iban: string;
  readonly currency: string;
  readonly status: AccountFacts['status'];
  readonly main: boolean;
  /** Minor units. */
  readonly expected: number;
  /** True if an outcome is to be simulated for the PSU (simulations.ts). */
  readonly simulated: boolean;
  /** The stored switch-over to euro, if one is planned. */
  readonly switchOver: string | null;
}

/**
 * Finds the accounts of many PSUs, both their own accounts and those of the corporates for which they sign, in the
 * order of `accountsOfPsu`.
 */
const accountsOfPsus = `SELECT asked.psu_id AS "psuId", a.iban, l.currency, a.status, a.main,
    l.credits_posted + l.credit_limit - l.debits_posted - l.debits_pending AS expected,
    ${isSimulated('asked.psu_id')} AS simulated, ${switchOverSetting} AS "switchOver"
  FROM unnest($1::text[]) AS asked (psu_id)
  CROSS JOIN LATERAL (
    SELECT id FROM account WHERE psu_id = asked.psu_id UNION ALL
    SELECT corporates.id FROM signer s JOIN account corporates USING (corporate_id) WHERE s.psu_id = asked.psu_id) AS open
  JOIN account a ON a.id = open.id JOIN ledger_account l ON l.id = open.id
  ORDER BY a.psu_id IS NULL, a.main DESC, a.number`;

const maxBatch = 100;

/** Concurrent queries share one statement. Each result reflects a state no older than the arrival of its query. */
export class SandboxFunds implements FundsPort {
  private readonly accounts: StatementQueue<string, readonly FundsAccount[]>;

  constructor(
    private readonly pool: Pool,
    private readonly simulations: Simulations,
    private readonly clock: Clock,
  ) {
    this.accounts = new StatementQueue<string, readonly FundsAccount[]>({
      maxBatch,
      keysOf: () => [],
      run: async (psuIds) => {
        const { rows } = await pool.query<FundsAccount & { readonly psuId: string }>({
          name: 'funds-accounts',
          text: accountsOfPsus,
          values: [[...new Set(psuIds)]],
        });
        const byPsu = Map.groupBy(rows, ({ psuId }) => psuId);
        return psuIds.map((psuId) => byPsu.get(psuId) ?? []);
      },
    });
  }

  async covers(question: FundsQuestion): Promise<FundsAnswer> {
    const rows = await this.accounts.add(question.psuId);
    const [row] = rows;
    const switchOver = row === undefined ? await readSwitchOver(this.pool) : parseSwitchOver(row.switchOver);
    mustNotSwitch(switchOver, this.clock.now());
    if (rows.some(({ simulated }) => simulated)) {
      const outcome = await this.simulations.take(question.psuId, [
        'insufficient-funds',
        'core-bank-down',
        'slow',
      ]);
      await play(outcome);
      const answered = answer(rows, question.amount, question.iban);
      return outcome === 'insufficient-funds' && 'fundsAvailable' in answered
        ? { fundsAvailable: false }
        : answered;
    }
    return answer(rows, question.amount, question.iban);
  }
}

const answer = (accounts: readonly FundsAccount[], amount: MinorAmount, iban?: string): FundsAnswer => {
  if (iban !== undefined) {
    const named = accounts.find((account) => account.iban === iban);
    if (named === undefined) return { refused: 'not-an-account-of-the-psu' };
    return named.currency === amount.currency
      ? { fundsAvailable: named.status !== 'closed' && amount.minor <= named.expected }
      : { refused: 'currency-not-held' };
  }
  const held = accounts.filter(({ currency }) => currency === amount.currency);
  if (held.length === 0) return { refused: 'currency-not-held' };
  // Payments cannot be made from a blocked or closed account.
  const open = held.filter(({ status }) => status === 'enabled');
  const chosen = open.find(({ main }) => main) ?? open[0];
  return { fundsAvailable: chosen !== undefined && amount.minor <= chosen.expected };
};
