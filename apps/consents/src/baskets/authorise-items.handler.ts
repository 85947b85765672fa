import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import { authoriseConsentItems } from '@xs2a/contracts/baskets.contract';
import { authoriseGroupedConsent, type GroupedApproval } from '@xs2a/domain/consent/group-consent';
import { BankAccounts } from '../authorise/bank-accounts.js';
import { ReplaceOlder } from '../end/replace-older.js';
import { BasketItems } from './basket-items.js';

/** All signers have signed a basket (contract 10). */
export class AuthoriseConsentItems extends CommandOf(authoriseConsentItems) {}

/**
 * Authorises the consents that are still pending. Each one then ends the older consents that it replaces, as a
 * consent authorised outside a basket does.
 */
@CommandHandler(AuthoriseConsentItems)
export class AuthoriseConsentItemsHandler implements ICommandHandler<AuthoriseConsentItems> {
  constructor(
    private readonly items: BasketItems,
    private readonly replaceOlder: ReplaceOlder,
    private readonly bank: BankAccounts,
  ) {}

  async execute({ request }: AuthoriseConsentItems): Promise<Record<string, never>> {
    const { basketId, consentIds, signatures, chosenIbans, signedAt } = request;
    const approvals: GroupedApproval[] = await Promise.all(
      signatures.map(async ({ authorisationId, psuId, evidence }) => ({
        authorisationId,
        psuId,
        evidence,
        psuAccounts: await this.bank.ofPsu(psuId),
      })),
    );
    await this.items.changeEach(consentIds, (state) =>
      authoriseGroupedConsent(state, { basketId, approvals, chosenIbans, signedAt }),
    );
    for (const consent of (await this.items.states(consentIds)).values())
      await this.replaceOlder.statusAfterReplacing(consent);
    return {};
  }
}
