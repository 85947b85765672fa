import {
  acceptPayment,
  type PaymentAuthorisation,
  readPaymentAuthorisation,
  rejectPayment,
  signPayment,
} from '@xs2a/contracts/payments.contract';
import type { Profile } from '@xs2a/domain/profile/profile';
import { hasPassed } from '@xs2a/domain/time/bank-calendar';
import { CallFailed } from '@xs2a/messaging/call-failed';
import { Requester } from '@xs2a/messaging/requester';
import { Clock } from '@xs2a/runtime/clock';
import { isUuid } from '../oauth/consent-authority.js';
import type { TppRegistry } from '../tpp/tpp-registry.js';
import type { Approval, Closed } from './approval.js';
import type { Outcome } from './page-sessions.js';
import { originOf } from './page.js';
import { paymentRows } from './payment-rows.js';

export interface ApprovalParts {
  readonly requester: Requester;
  readonly registry: Pick<TppRegistry, 'find'>;
  readonly clock: Clock;
  readonly profile: Profile;
}
export interface PaymentLink {
  readonly paymentId: string;
  readonly authorisationId: string;
}

/** The first door: the scaRedirect of a payment. */
export const openPayment = async (parts: ApprovalParts, link: PaymentLink): Promise<Approval | Closed> => {
  if (!isUuid(link.paymentId) || !isUuid(link.authorisationId)) return { closed: 'unknown' };
  const payment = await find(parts.requester, link);
  if (payment === undefined) return { closed: 'unknown' };
  const isOpen = ['received', 'psuIdentified', 'psuAuthenticated'].includes(payment.scaStatus);
  const isLate = hasPassed(payment.expiresAt, parts.clock.now());
  if (isOpen && ['RCVD', 'PATC', 'ACCP'].includes(payment.transactionStatus))
    return isLate ? expired(payment) : approvalOf(parts, link, payment);
  return payment.transactionStatus === 'RJCT' && isLate && payment.psuId === undefined
    ? expired(payment)
    : { closed: 'used' };
};

const expired = ({ redirectUris }: PaymentAuthorisation): Closed => ({
  closed: 'expired',
  redirect: redirectUris.nok,
});

const find = async (requester: Requester, link: PaymentLink): Promise<PaymentAuthorisation | undefined> => {
  try {
    const payment = await requester.call(readPaymentAuthorisation, link);
    return payment.authorisationId === link.authorisationId ? payment : undefined;
  } catch (error) {
    if (error instanceof CallFailed && error.failures.every(({ failure }) => failure === 'resourceUnknown'))
      return undefined;
    throw error;
  }
};

const approvalOf = async (
  { requester, registry, profile }: ApprovalParts,
  link: PaymentLink,
  payment: PaymentAuthorisation,
): Promise<Approval> => {
  const { order, redirectUris } = payment;
  const tpp = await registry.find(payment.tppId);
  return {
    kind: 'payment',
    tppName: tpp?.name ?? '',
    picksAccounts: false,
    formTargets: [redirectUris.ok, redirectUris.nok].map(originOf).filter((origin) => origin !== undefined),
    identify: async (psuId) => {
      const accepted = await unlessTooLate(() => requester.call(acceptPayment, { ...link, psuId }));
      if (accepted === undefined) return tooLate;
      return accepted.scaStatus === 'psuIdentified'
        ? undefined
        : { kind: 'failed', reason: accepted.rejectionReason ?? 'no-longer-possible' };
    },
    accounts: async () => [],
    isOutdated: () => false,
    rows: (_state, language) => paymentRows(payment, language, profile),
    content: () => ({
      kind: 'payment',
      resourceId: payment.paymentId,
      amount: order.amount,
      payeeAccount: order.creditorAccount,
      payeeName: order.creditorName,
    }),
    approve: async (psuId) => {
      const signed = await unlessTooLate(() => requester.call(signPayment, { ...link, psuId }));
      if (signed === undefined) return tooLate;
      const { signaturesMissing: missing } = signed;
      return missing === 0 ? { kind: 'authorised' } : { kind: 'partly', missing };
    },
    refuse: async (reason, psuId) => {
      const rejected = await unlessTooLate(() => requester.call(rejectPayment, { ...link, psuId, reason }));
      return rejected === undefined ? tooLate : { kind: 'failed', reason };
    },
    leave: async (outcome) => (outcome.kind === 'failed' ? redirectUris.nok : redirectUris.ok),
  };
};

const tooLate: Outcome = { kind: 'failed', reason: 'no-longer-possible' };

/** Undefined: the resource was decided or expired in the meantime. */
export const unlessTooLate = async <Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await call();
  } catch (error) {
    if (
      error instanceof CallFailed &&
      error.failures.some(({ failure }) => failure === 'statusForbidsAuthorisation')
    )
      return undefined;
    throw error;
  }
};
