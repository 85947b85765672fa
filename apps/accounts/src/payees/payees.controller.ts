import { Controller, Inject } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import { answerPayee, type PayeeAnswer, verifyPayees } from '@xs2a/contracts/payees/payees.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import type { Profile } from '@xs2a/domain/profile/profile';
import { PROFILE } from '@xs2a/runtime/tokens';
import { PayeeVerification } from './payee-verification.js';

/**
 * Verification of payee (contract 15). A bank in the euro area answers other banks even if it verifies no payees on its
 * own pages.
 */
@Controller()
export class PayeesController {
  constructor(
    private readonly verification: PayeeVerification,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  @Handles(verifyPayees)
  async verify(payment: RequestOf<typeof verifyPayees>): Promise<AnswerOf<typeof verifyPayees>> {
    if (this.profile.payeeVerification === 'off') throw callFailed('pathUnknown');
    return this.verification.ofPayment(payment);
  }

  @Handles(answerPayee)
  async answer({ body }: RequestOf<typeof answerPayee>): Promise<PayeeAnswer> {
    if (this.profile.standard !== 'euro') throw callFailed('pathUnknown');
    return this.verification.answer(body);
  }
}
