import { Controller } from '@nestjs/common';
import { checkFunds } from '@xs2a/contracts/accounts.contract';
import { confirmFunds } from '@xs2a/contracts/funds-confirmation.contract';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import { Handles } from '@xs2a/messaging/handles';
import { Requester } from '@xs2a/messaging/requester';

/** Funds confirmation (spec 2.3, contract 7): over all accounts available to the PSU of the PSP_IC token. */
@Controller()
export class FundsConfirmationController {
  constructor(private readonly requester: Requester) {}

  /** Exactly one boolean: neither the balance nor which account was looked at leaves the bank. */
  @Handles(confirmFunds)
  async confirm({
    psuId,
    iban,
    amount,
  }: {
    tppId: string;
    psuId: string;
    iban?: string;
    amount: MinorAmount;
  }): Promise<{ fundsAvailable: boolean }> {
    const { fundsAvailable } = await this.requester.call(checkFunds, { psuId, iban, amount });
    return { fundsAvailable };
  }
}
