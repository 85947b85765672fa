import { Controller } from '@nestjs/common';
import { checkFunds } from '@xs2a/contracts/accounts.contract';
import type { RequestOf } from '@xs2a/contracts/call';
import { confirmFunds } from '@xs2a/contracts/funds-confirmation.contract';
import { Handles } from '@xs2a/calls/handles';
import { CallClient } from '@xs2a/calls/client';

/** Confirms funds (spec 2.3, contract 7) for all accounts available to the PSU of the PSP_IC token. */
@Controller()
export class FundsConfirmationController {
  constructor(private readonly callClient: CallClient) {}

  /** The response is exactly one boolean: neither the balance nor the account leaves the bank. */
  @Handles(confirmFunds)
  async confirm({
    psuId,
    iban,
    accountCurrency,
    amount,
  }: RequestOf<typeof confirmFunds>): Promise<{ fundsAvailable: boolean }> {
    const question = { psuId, iban, accountCurrency, amount };
    const { fundsAvailable } = await this.callClient.call(checkFunds, question);
    return { fundsAvailable };
  }
}
