import type { AccountFacts } from '@xs2a/domain/account/debtor-account';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import type { Pool } from 'pg';
import type { FundsAnswer, FundsPort, FundsQuestion } from '../port/funds.js';
import { accountsOfPsu } from './psus.js';
import { isSimulated, play, type Simulations } from './simulations.js';

interface FundsAccount {
  readonly iban: string;
  readonly currency: string;
  readonly status: AccountFacts['status'];
  readonly main: boolean;
  /** Minor units. */
  readonly expected: number;
  /** Something is to happen to the PSU (simulations.ts). */
  readonly simulated: boolean;
}

export class SandboxFunds implements FundsPort {
  constructor(
    private readonly pool: Pool,
    private readonly simulations: Simulations,
  ) {}

  async covers(question: FundsQuestion): Promise<FundsAnswer> {
    const { rows } = await this.pool.query<FundsAccount>({
      name: 'funds-accounts',
      text: `SELECT a.iban, l.currency, a.status, a.main,
        l.credits_posted + l.credit_limit - l.debits_posted - l.debits_pending AS expected,
        ${isSimulated('$1')} AS simulated ${accountsOfPsu}`,
      values: [question.psuId],
    });
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
  // From one that is blocked or closed nothing can be paid.
  const open = held.filter(({ status }) => status === 'enabled');
  const chosen = open.find(({ main }) => main) ?? open[0];
  return { fundsAvailable: chosen !== undefined && amount.minor <= chosen.expected };
};
