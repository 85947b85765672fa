import {
  acceptPayment,
  type PaymentAuthorisation,
  readPaymentAuthorisation,
  rejectPayment,
  signPayment,
} from '@xs2a/contracts/payments.contract';
import type { FailureName } from '@xs2a/domain/failure/failures';
import type { Profile } from '@xs2a/domain/profile/profile';
import { isOpenAuthorisation } from '@xs2a/domain/sca/authorisations';
import { hasPassed } from '@xs2a/domain/time/bank-calendar';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { CallClient } from '@xs2a/calls/client';
import { Clock } from '@xs2a/runtime/clock';
import { isUuid } from '../../oauth/grants/consent-authority.js';
import type { TppRegistry } from '../../tpp/tpp-registry.js';
import type { AuthorisationRequest, Closed, Decided, Entry, EntryPage } from './authorisation-request.js';
import type { AuthorisationKind, FailureReason, Language } from '../catalogue/catalogue.js';
import type { Outcome } from '../page-sessions.js';
import { parseOrigin } from '../pages/page.js';
import { paymentReview } from '../review/payment-review.js';

export interface RequestParts {
  readonly callClient: CallClient;
  readonly registry: Pick<TppRegistry, 'find'>;
  readonly clock: Clock;
  readonly profile: Profile;
}
export interface PaymentLink {
  readonly paymentId: string;
  readonly authorisationId: string;
}

/** Opens the scaRedirect of a payment. */
export const openPayment = async (
  parts: RequestParts,
  link: PaymentLink,
): Promise<AuthorisationRequest | Closed> => {
  if (!isUuid(link.paymentId) || !isUuid(link.authorisationId)) return { closed: 'unknown' };
  const payment = await find(parts.callClient, link);
  if (payment === undefined) return { closed: 'unknown' };
  const isLate = hasPassed(payment.expiresAt, parts.clock.now());
  if (payment.isGrouped) return { closed: 'grouped' };
  if (isOpen(payment)) return isLate ? expired(payment) : paymentRequest(parts, link, payment);
  if (payment.transactionStatus === 'RJCT' && isLate && payment.psuId === undefined) return expired(payment);
  return {
    closed: payment.transactionStatus === 'PATC' ? 'signed' : 'used',
    decided: async (psuId) => decidedFor(parts, { ...payment, kind: paymentReview(payment).kind }, psuId),
  };
};

const isOpen = ({ scaStatus, transactionStatus }: PaymentAuthorisation): boolean =>
  isOpenAuthorisation({ scaStatus }) && ['RCVD', 'PATC', 'ACCP'].includes(transactionStatus);

const expired = ({ redirectUris }: PaymentAuthorisation): Closed => ({
  closed: 'expired',
  redirect: redirectUris.nok,
});

const find = async (callClient: CallClient, link: PaymentLink): Promise<PaymentAuthorisation | undefined> => {
  try {
    const payment = await callClient.call(readPaymentAuthorisation, link);
    return payment.authorisationId === link.authorisationId ? payment : undefined;
  } catch (error) {
    if (error instanceof CallFailed && error.failures.every(({ failure }) => failure === 'resourceUnknown'))
      return undefined;
    throw error;
  }
};

const paymentRequest = async (
  { callClient, registry, profile, clock }: RequestParts,
  link: PaymentLink,
  payment: PaymentAuthorisation,
): Promise<AuthorisationRequest> => {
  const { redirectUris } = payment;
  const { kind, content, rows, entries } = paymentReview(payment);
  const reading = (language: Language) => ({ language, profile, now: clock.now() });
  const tpp = await registry.find(payment.tppId);
  const tooLate = async (psuId?: string) => outcomeOfRefusedStep(await find(callClient, link), psuId);
  return {
    kind,
    tppName: tpp?.name ?? '',
    tppId: payment.tppId,
    debtorIban: payment.orders[0]?.debtorIban,
    picksAccounts: false,
    refusesSignedIn: payment.isTaken,
    formTargets: [redirectUris.ok, redirectUris.nok]
      .map(parseOrigin)
      .filter((origin) => origin !== undefined),
    identify: async (psuId) => {
      const accepted = await unlessTooLate(() => callClient.call(acceptPayment, { ...link, psuId }));
      if (accepted === undefined) return tooLate(psuId);
      return accepted.scaStatus === 'psuIdentified'
        ? undefined
        : { kind: 'failed', reason: accepted.rejectionReason ?? 'no-longer-possible' };
    },
    accounts: async () => [],
    isOutdated: () => false,
    rows: (_state, language) => rows(reading(language)),
    entries: entries === undefined ? undefined : async (language) => onePage(entries(reading(language))),
    content: () => content,
    approve: async (psuId) => {
      const signed = await unlessTooLate(() => callClient.call(signPayment, { ...link, psuId }));
      if (signed === undefined) return tooLate(psuId);
      return signedOutcome(signed.signaturesMissing);
    },
    refuse: async (reason, psuId) => {
      const rejected = await unlessTooLate(() => callClient.call(rejectPayment, { ...link, psuId, reason }));
      return rejected === undefined ? tooLate(psuId) : { kind: 'failed', reason };
    },
    leave: async (outcome) => (hasSigned(outcome) ? redirectUris.ok : redirectUris.nok),
  };
};

const onePage = (entries: readonly Entry[]): EntryPage => ({ entries, at: 0, sizes: [entries.length] });

type DecidedResource = ResourceStatus &
  Pick<PaymentAuthorisation, 'tppId' | 'psuId' | 'redirectUris'> & { readonly kind: AuthorisationKind };

/** The outcome of a payment or basket for a PSU who has signed it or was about to sign it. */
export const decidedFor = async (
  { registry }: Pick<RequestParts, 'registry'>,
  resource: DecidedResource,
  psuId: string,
): Promise<Decided | undefined> => {
  const { kind, signedBy, redirectUris, signaturesMissing: missing, transactionStatus } = resource;
  const isSigned = signedBy.includes(psuId);
  if (!isSigned && resource.psuId !== psuId) return undefined;
  const isEnded = !isSigned || transactionStatus === 'RJCT' || transactionStatus === 'CANC';
  const outcome = isEnded ? outcomeOfRefusedStep(resource, psuId) : signedOutcome(missing);
  const tppName = (await registry.find(resource.tppId))?.name ?? '';
  const redirect = hasSigned(outcome) ? redirectUris.ok : redirectUris.nok;
  return { result: { kind, tppName, outcome }, redirect };
};

export const signedOutcome = (missing: number): Outcome =>
  missing === 0 ? { kind: 'authorised' } : { kind: 'partly', missing };

/** True if the PSU who uses this browser has signed, now or earlier. */
export const hasSigned = (outcome: Outcome): boolean =>
  outcome.kind === 'unchanged' ? outcome.reason === 'signed-before' : outcome.kind !== 'failed';

const failed = (reason: FailureReason): Outcome => ({ kind: 'failed', reason });

interface ResourceStatus extends Pick<PaymentAuthorisation, 'signedBy' | 'signaturesMissing'> {
  readonly transactionStatus: string;
}

/** The outcome for a PSU whose step came too late, according to the status of the payment or basket. */
export const outcomeOfRefusedStep = (
  resource: ResourceStatus | undefined,
  psuId: string | undefined,
): Outcome => {
  if (resource === undefined || resource.transactionStatus === 'RJCT') return failed('no-longer-possible');
  if (resource.transactionStatus === 'CANC') return failed('terminated-by-tpp');
  if (psuId !== undefined && resource.signedBy.includes(psuId))
    return { kind: 'unchanged', reason: 'signed-before' };
  return {
    kind: 'unchanged',
    reason: resource.signaturesMissing === 0 ? 'signed-by-another' : 'taken-by-another',
  };
};

const tooLateFailures = new Set<FailureName>(['statusForbidsAuthorisation', 'resourceBlocked']);

/**
 * Makes the call. Returns undefined if, in the meantime, the resource was decided, expired, or was added to a
 * basket.
 */
export const unlessTooLate = async <Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await call();
  } catch (error) {
    if (error instanceof CallFailed && error.failures.some(({ failure }) => tooLateFailures.has(failure)))
      return undefined;
    throw error;
  }
};
