import { Controller, Inject } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import { answerPayee, type PayeeAnswer, verifyPayees } from '@xs2a/contracts/payees/payees.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import type { Profile } from '@xs2a/domain/profile/profile';
import { PROFILE } from '@xs2a/runtime/tokens';
import { PayeeVerification } from './payee-verification.js';

/** Verification of payee, for the profiles that have it (contract 15). */
@Controller()
export class PayeesController {
  constructor(
    private readonly verification: PayeeVerification,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  @Handles(verifyPayees)
  async verify(payment: RequestOf<typeof verifyPayees>): Promise<AnswerOf<typeof verifyPayees>> {
    this.requireVerification();
    return this.verification.ofPayment(payment);
  }

  @Handles(answerPayee)
  async answer({ body }: RequestOf<typeof answerPayee>): Promise<PayeeAnswer> {
    this.requireVerification();
    return this.verification.answer(body);
  }

  private requireVerification(): void {
    if (this.profile.payeeVerification === 'off') throw callFailed('pathUnknown');
  }
}
