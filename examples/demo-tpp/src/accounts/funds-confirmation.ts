import type { Bank } from '../bank/bank.js';
import type { BankLogin } from '../bank/bank-login.js';
import type { Session } from '../page/sessions.js';

export type FundsAnswer = 'yes' | 'no' | 'not-taken' | 'allow-first';

/** Funds confirmation ("Is this amount covered?"), once the person has allowed it at the bank. */
export class FundsConfirmation {
  constructor(
    private readonly bank: Bank,
    private readonly login: BankLogin,
  ) {}

  async allow(session: Session): Promise<string> {
    return this.login.begin(session, { purpose: 'funds' });
  }

  async ask(session: Session, psuIp: string, amount: string): Promise<FundsAnswer> {
    const answer =
      session.funds &&
      (await this.bank.asPerson<{ readonly fundsAvailable?: boolean }>(
        session.funds,
        psuIp,
        'POST',
        '/v1/funds-confirmations',
        { json: { instructedAmount: { amount, currency: 'BGN' } } },
      ));
    if (answer === undefined) {
      delete session.funds;
      return 'allow-first';
    }
    if (answer.status !== 200) return 'not-taken';
    return answer.body.fundsAvailable === true ? 'yes' : 'no';
  }
}
