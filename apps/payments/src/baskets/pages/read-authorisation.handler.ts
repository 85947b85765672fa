import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import {
  type BasketAuthorisation,
  maxEntriesTogether,
  readBasketAuthorisation,
} from '@xs2a/contracts/baskets.contract';
import { isTaken } from '@xs2a/domain/payment/authorise-payment';
import { signaturesMissing, listSigners } from '@xs2a/domain/sca/authorisations';
import { summarisePayment } from '@xs2a/runtime/signing/basket-summary';
import { findAuthorisation } from '../../authorise/find-authorisation.js';
import { BasketConsents } from '../basket-consents.js';
import { asBasketPayment } from './basket-payment.js';
import { BasketReads } from '../basket-reads.js';

/** The SCA pages request a basket by one of its authorisations. */
export class ReadBasketAuthorisation extends QueryOf(readBasketAuthorisation) {}

/** Returns the parts of the basket and of its items that the SCA pages show and check. */
@QueryHandler(ReadBasketAuthorisation)
export class ReadBasketAuthorisationHandler implements IQueryHandler<ReadBasketAuthorisation> {
  constructor(
    private readonly reads: BasketReads,
    private readonly consents: BasketConsents,
  ) {}

  async execute({ request: ref }: ReadBasketAuthorisation): Promise<BasketAuthorisation> {
    const { state, status } = await this.reads.authorisation(ref);
    const [payments, consents] = await Promise.all([
      this.reads.readPayments(state),
      this.consents.read(state),
    ]);
    const authorisation = findAuthorisation(state, ref.authorisationId);
    const shown = payments.map(asBasketPayment);
    const entries = shown.reduce((sum, { orders }) => sum + orders.length, 0);
    return {
      ...ref,
      tppId: state.tppId,
      scaStatus: authorisation.scaStatus,
      transactionStatus: status,
      namedPsuId: authorisation.namedPsuId,
      psuId: authorisation.psuId,
      summaries: shown.map(summarisePayment),
      payments: entries > maxEntriesTogether ? undefined : shown,
      consents,
      agreedIbans: state.chosenIbans,
      redirectUris: authorisation.redirectUris ?? state.redirectUris,
      expiresAt: state.expiresAt,
      signaturesMissing: signaturesMissing(state),
      signedBy: listSigners(state),
      isTaken: isTaken(state),
    };
  }
}
