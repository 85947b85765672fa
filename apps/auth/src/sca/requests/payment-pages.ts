import {
  type PaymentAuthorisation,
  paymentAuthorisation,
  type PaymentAuthorisationRef,
} from '@xs2a/contracts/payments.contract';
import { verifyPaymentPayees } from '@xs2a/contracts/payees/payees.contract';
import { isOpenAuthorisation } from '@xs2a/domain/sca/authorisations';
import type { Language } from '../catalogue/catalogue.js';
import { paymentReview } from '../review/payment-review.js';
import type { Entry, EntryPage } from './authorisation-request.js';
import { findInstantEnd } from './instant-end.js';
import type { SignablePages } from './signable-request.js';

/** The pages of payments, periodic orders and bulk payments. */
export const paymentPages: SignablePages<PaymentAuthorisationRef, PaymentAuthorisation> = {
  calls: paymentAuthorisation,
  verifyPayees: verifyPaymentPayees,
  linkedState: (payment) => ({
    ...payment,
    isOpen: isOpenAuthorisation(payment) && ['RCVD', 'PATC', 'ACCP'].includes(payment.transactionStatus),
    // An instant payment that was rejected after the signatures was authorised all the same.
    isRejected:
      (payment.transactionStatus === 'RJCT' && payment.reasonCode === undefined) ||
      payment.isStopped === true,
    isCancelled: payment.transactionStatus === 'CANC' && payment.isStopped !== true,
    closed: payment.transactionStatus === 'PATC' ? 'signed' : 'used',
  }),
  instantEnd: (payment, { profile, clock }) => findInstantEnd(payment, clock.now(), profile),
  review: (payment, { profile, clock }) => {
    const { kind, content, rows, entries } = paymentReview(payment);
    const debtorIban = payment.orders[0]?.debtorIban;
    const reading = (language: Language) => ({ language, profile, now: clock.now() });
    return {
      kind,
      executionDay: willBeExecuted(payment) ? payment.executionDate : undefined,
      debtorIban,
      namedAccounts: debtorIban === undefined ? undefined : { iban: debtorIban },
      picksAccounts: false,
      payees: {
        areToBeVerified: payment.awaitsPayees === true,
        hasWarning: payment.payeesVerified?.payees.some(({ verdict }) => verdict === 'NO_MATCH') === true,
      },
      isOutdated: () => false,
      rows: (_state, language, names) => rows({ ...reading(language), names }),
      entries: entries && (async (language) => onePage(entries(reading(language)))),
      content: () => content,
      chosenIbans: () => undefined,
    };
  },
};

const willBeExecuted = ({ transactionStatus }: PaymentAuthorisation): boolean =>
  transactionStatus !== 'RJCT' && transactionStatus !== 'CANC';

const onePage = (entries: readonly Entry[]): EntryPage => ({ entries, at: 0, sizes: [entries.length] });
