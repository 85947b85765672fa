import { type AccountHolder, compareHolders } from '@xs2a/domain/payee/compare-holders';
import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { BankCall } from '../../port/bank-call.js';
import { BankFault } from '../../port/bank-fault.js';
import type { PayeeAnswer, PayeeQuestion, PayeesPort, PayerContext } from '../../port/payees.js';
import { fixedPayees, payeesElsewhere } from '../data/payees-elsewhere.js';
import type { Simulations } from '../simulation/simulations.js';
import { simulatedPayees } from './simulated-payees.js';

interface OwnPayee {
  readonly status: 'enabled' | 'blocked' | 'closed';
  readonly psuName: string | null;
  readonly companyNames: readonly string[] | null;
  readonly holders: readonly string[];
  readonly eik: string | null;
}

const unknownAccount = { verdict: 'NOT_POSSIBLE', reason: 'account-unknown' } as const;

/** Verification of payee: own customers, and made-up accounts at other banks (contract 13, 15). */
export class SandboxPayees implements PayeesPort {
  constructor(
    private readonly pool: Pool,
    private readonly bankCode: string,
    private readonly simulations: Simulations,
  ) {}

  async verify(question: PayeeQuestion, call: BankCall, payer?: PayerContext): Promise<PayeeAnswer> {
    const outcome = payer === undefined ? undefined : await this.simulations.takeForPayee(payer);
    const { answer, afterMs = 0 } = outcome === undefined ? {} : simulatedPayees[outcome];
    await waitUntilDeadline(afterMs, call);
    return answer ?? this.findAnswer(question, call);
  }

  private async findAnswer(question: PayeeQuestion, call: BankCall): Promise<PayeeAnswer> {
    const { iban } = question;
    if (iban.slice(4, 8) === this.bankCode) return this.answerOwn(question);
    const fixed = fixedPayees[iban];
    if (fixed === 'silent') await waitUntilDeadline(Infinity, call);
    else if (fixed !== undefined) {
      const { afterMs = 0, ...answer } = fixed;
      await waitUntilDeadline(afterMs, call);
      return answer;
    }
    const holder = payeesElsewhere[iban];
    if (holder === undefined) return { verdict: 'NOT_POSSIBLE', reason: 'bank-not-reached' };
    return compare(question, [holder]);
  }

  private async answerOwn(question: PayeeQuestion): Promise<PayeeAnswer> {
    const { rows } = await this.pool.query<OwnPayee>({
      name: 'payee',
      text: `SELECT a.status, p.name AS "psuName",
          CASE WHEN c.corporate_id IS NOT NULL THEN c.name || c.other_names END AS "companyNames", a.holders, c.eik
        FROM account a LEFT JOIN psu p ON p.psu_id = a.psu_id
        LEFT JOIN corporate c ON c.corporate_id = a.corporate_id
        WHERE a.iban = $1`,
      values: [question.iban],
    });
    const [own] = rows;
    if (own === undefined || own.status === 'closed') return unknownAccount;
    return compare(question, holdersOf(own), own.eik ?? undefined);
  }
}

const holdersOf = ({ psuName, companyNames, holders }: OwnPayee): readonly AccountHolder[] => [
  ...(companyNames === null ? [] : [{ kind: 'company', names: companyNames } as const]),
  ...(psuName === null ? holders : [psuName, ...holders]).map((name) => ({ kind: 'person', name }) as const),
];

const compare = (question: PayeeQuestion, holders: readonly AccountHolder[], eik?: string): PayeeAnswer => {
  if ('name' in question) return compareHolders(question.name, holders);
  const { type, value } = question.identification;
  if (type !== 'EIK' || eik === undefined)
    return { verdict: 'NOT_POSSIBLE', reason: 'identification-unknown' };
  return { verdict: value === eik ? 'MATCH' : 'NO_MATCH' };
};

/** Waits as a slow bank would. Throws BankFault at the deadline if the wait ends later. */
const waitUntilDeadline = async (ms: number, { deadline }: BankCall): Promise<void> => {
  if (ms === 0) return;
  const left = Math.max(0, deadline - performance.now());
  await setTimeout(Math.min(ms, left));
  if (ms >= left) throw new BankFault('too-slow');
};
