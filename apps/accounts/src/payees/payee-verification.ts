import { Inject, Injectable } from '@nestjs/common';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import {
  type NamedPayee,
  type PayeeAnswer as SchemeAnswer,
  payeeWaitMs,
  type verifyPayees,
} from '@xs2a/contracts/payees/payees.contract';
import type { BankCall } from '@xs2a/core-banking/port/bank-call';
import { BankFault } from '@xs2a/core-banking/port/bank-fault';
import type { CoreBank } from '@xs2a/core-banking/port/core-bank';
import type { PayeeAnswer, PayeeQuestion, PayerContext } from '@xs2a/core-banking/port/payees';
import { CallFailed } from '@xs2a/domain/failure/failed';
import type { PaymentPayee } from '@xs2a/domain/payee/payees-verified';
import { transliterate } from '@xs2a/domain/payee/transliteration';
import type { Profile } from '@xs2a/domain/profile/profile';
import { PROFILE } from '@xs2a/runtime/tokens';
import { BankCalls, wayBackMs } from '../bank-calls.js';
import { BANK } from '../tokens.js';
import { DisclosureLimits } from './disclosure-limits.js';
import { readPayeeQuestion } from './payee-question.js';

/** The number of payees of a bulk payment that the bank is asked about at the same time. */
const maxConcurrent = 25;
const maxName = 140;

/** Verification of payee (contract 15): of payments from this bank, and for other banks' payments to it. */
@Injectable()
export class PayeeVerification {
  constructor(
    @Inject(BANK) private readonly bank: CoreBank,
    private readonly calls: BankCalls,
    private readonly limits: DisclosureLimits,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  async ofPayment(payment: RequestOf<typeof verifyPayees>): Promise<AnswerOf<typeof verifyPayees>> {
    const { psuId, paymentId, isBulk, payees } = payment;
    const bankCall = this.within(isBulk ? payeeWaitMs.bulk : payeeWaitMs.single);
    if (isBulk && (await this.hasOptedOut(payment.debtorIban, bankCall)))
      return { isOptedOut: true, payees: [] };
    const verified: PaymentPayee[] = [];
    const waiting = [...payees.entries()];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, payee] = next;
        const answer = await this.ask(payee, bankCall, { psuId, paymentId });
        verified[index] = await this.verified(payee, answer, isBulk ? undefined : psuId);
      }
    };
    await Promise.all(Array.from({ length: maxConcurrent }, work));
    return { isOptedOut: false, payees: verified };
  }

  /** Answers a question in the form of the scheme. Throws CallFailed for a malformed one, and for one too many. */
  async answer(body: unknown): Promise<SchemeAnswer> {
    const asked = readPayeeQuestion(body, this.profile.bank.bic);
    if ('failures' in asked) throw new CallFailed(asked.failures);
    const retryAfter = await this.limits.countQuestion(asked.agent);
    if (retryAfter !== undefined) throw new CallFailed([{ failure: 'payeeQuestionsExceeded', retryAfter }]);
    const { question } = asked;
    const bankCall = this.within(payeeWaitMs.single);
    const answer = (await this.isOwn(question.iban, bankCall))
      ? await this.ask(question, bankCall)
      : notPossible('account-unknown');
    if (!('name' in question)) return { partyIdMatch: idVerdicts[answer.verdict] };
    if (answer.verdict !== 'CLOSE_MATCH') return { partyNameMatch: nameVerdicts[answer.verdict] };
    if (!(await this.limits.mayDisclose({ iban: question.iban }))) return { partyNameMatch: 'NOAP' };
    return { partyNameMatch: 'CMTC', matchedName: transliterate(answer.name).slice(0, maxName) };
  }

  /** A bank that does not answer in time, or at all, leaves the payee unverified. */
  private async ask(question: PayeeQuestion, bankCall: BankCall, payer?: PayerContext): Promise<PayeeAnswer> {
    try {
      return await this.bank.payees.verify(question, bankCall, payer);
    } catch (error) {
      if (error instanceof BankFault) return notPossible(error.code);
      throw error;
    }
  }

  private async verified(
    payee: NamedPayee,
    answer: PayeeAnswer,
    countedPsuId: string | undefined,
  ): Promise<PaymentPayee> {
    const { verdict } = answer;
    if (verdict === 'NOT_POSSIBLE') return { ...payee, verdict, reason: answer.reason };
    if (verdict !== 'CLOSE_MATCH') return { ...payee, verdict };
    if (await this.limits.mayDisclose({ iban: payee.iban, psuId: countedPsuId }))
      return { ...payee, verdict, disclosedName: answer.name };
    return { ...payee, ...notPossible('disclosed-too-often') };
  }

  /** True for an account at this bank, and if the bank does not answer. */
  private async isOwn(iban: string, bankCall: BankCall): Promise<boolean> {
    try {
      return (await this.bank.accounts.facts({ iban }, bankCall)).account !== undefined;
    } catch (error) {
      if (error instanceof BankFault) return true;
      throw error;
    }
  }

  private async hasOptedOut(debtorIban: string, bankCall: BankCall): Promise<boolean> {
    try {
      const { account } = await this.bank.accounts.facts({ iban: debtorIban }, bankCall);
      if (account?.corporateId === undefined) return false;
      const corporate = await this.bank.psus.corporate(account.corporateId, bankCall);
      return corporate?.payeeVerificationOptOut === true;
    } catch (error) {
      if (error instanceof BankFault) return false;
      throw error;
    }
  }

  private within(waitMs: number): BankCall {
    return this.calls.within({ timeoutMs: waitMs + wayBackMs });
  }
}

const notPossible = (reason: string) => ({ verdict: 'NOT_POSSIBLE', reason }) as const;

const nameVerdicts = { MATCH: 'MTCH', NO_MATCH: 'NMTC', NOT_POSSIBLE: 'NOAP' } as const;
/** An identification is never close to another one. */
const idVerdicts = { ...nameVerdicts, CLOSE_MATCH: 'NMTC' } as const;
