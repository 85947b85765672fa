import type { ScaStatus } from '@xs2a/domain/sca/authorisations';
import { call } from '../call.js';

/** The maximum number of waiting approvals in one answer, which contains the newest. */
export const maxWaiting = 100;

/** A payment, order, basket or consent that waits for the approval of a PSU, without personal data. */
export interface WaitingApproval {
  readonly kind: 'payment' | 'periodic order' | 'bulk payment' | 'signing basket' | 'consent';
  /** @format uuid */
  readonly id: string;
  readonly tppId: string;
  /** When the TPP created the resource by a POST. @format date-time */
  readonly createdAt: string;
  /** Until when the PSU can approve the resource. @format date-time */
  readonly expiresAt: string;
  /** `received`: the TPP named the PSU, and the PSU has not signed in. `psuIdentified`: the PSU has signed in. */
  readonly scaStatus: ScaStatus;
  /** The number of PSUs who have signed the resource, and the number of signatures that the resource requires. */
  readonly signatures: { readonly given: number; readonly required: number };
}
export interface WaitingApprovals {
  /** The waiting approvals, newest first. */
  readonly approvals: readonly WaitingApproval[];
  /**
   * True if more approvals may wait: the service reads only the newest resources, and then excludes resources that have
   * ended.
   */
  readonly isCut?: true;
}

interface OfPsu {
  readonly psuId: string;
}
/**
 * Lists the payments, periodic orders, bulk payments and signing baskets that wait for the approval of a PSU. Called by
 * the console after it has recorded who asks and why.
 */
export const listWaitingPayments = call<OfPsu, WaitingApprovals>(
  'svc.payments.console.waiting',
  'idempotent',
);
/**
 * Lists the consents that wait for the approval of a PSU. Called by the console after it has recorded who asks and why.
 */
export const listWaitingConsents = call<OfPsu, WaitingApprovals>(
  'svc.consents.console.waiting',
  'idempotent',
);

/**
 * An operator's query for the waiting approvals of a PSU with the `xs2a` command. The console records the query and
 * counts it like a revealed field.
 */
export interface ApprovalsByCommand extends OfPsu {
  /** @format uuid */
  readonly actionId: string;
  readonly operator: string;
  readonly reason: string;
}
/** Lists the waiting approvals of a PSU for the bank's operator. Only the operator's NATS user may make this call. */
export const approvalsByCommand = call<
  ApprovalsByCommand,
  (WaitingApprovals & { readonly left: number }) | { readonly refused: string }
>('svc.console.operator.approvals', 'not-idempotent', 5000);
