import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import { authoriseConsentItems } from '@xs2a/contracts/baskets.contract';
import { authoriseGroupedConsent, type GroupedApproval } from '@xs2a/domain/consent/group-consent';
import { BankAccounts } from '../authorise/bank-accounts.js';
import { ReplaceOlder } from '../end/replace-older.js';
import { BasketItems } from './basket-items.js';

/** A basket was signed by all its signers (contract 10). */
export class AuthoriseConsentItems extends CommandOf(authoriseConsentItems) {}

/** Authorises those that are still to be; then each ends the older ones that it replaces, as a consent that was authorised by itself. */
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
      signatures.map(async ({ authorisationId, psuId }) => ({
        authorisationId,
        psuId,
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
