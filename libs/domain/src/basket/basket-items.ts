import type { PaymentState } from '../payment/payment-state.js';
import { isGroupedPayment } from '../payment/payment-transitions.js';
import { isGroupedOut } from './groupings.js';

/** The owner of an item's account: a corporate with signers, or a person. */
export type ItemOwner = { readonly corporateId: string } | { readonly psuId: string };

/** The signature of one person, given by the authorisation of the basket. */
export interface GroupedApprovalRef {
  readonly authorisationId: string;
  readonly psuId: string;
}

/** The facts about an item that the basket rules need. The item belongs to the TPP. */
export interface ItemFacts {
  /** A single payment, a bulk payment or a consent; an order cannot be in a basket. */
  readonly isGroupable: boolean;
  /** RCVD or received. */
  readonly isReceived: boolean;
  /** True when it is in another basket. */
  readonly isGrouped: boolean;
  /** True when no basket can take it any more. */
  readonly isGroupedOut: boolean;
  readonly namedPsuId?: string;
  /** The owners of its accounts, where the bank knows them. */
  readonly owners: readonly ItemOwner[];
  readonly signaturesRequired: number;
  /** ISO instant. */
  readonly expiresAt: string;
}

/** A payment as an item. */
export const paymentAsItem = (state: PaymentState, owners: readonly ItemOwner[]): ItemFacts => ({
  isGroupable: state.service !== 'periodic-payments',
  isReceived: state.status === 'RCVD',
  isGrouped: isGroupedPayment(state),
  isGroupedOut: isGroupedOut(state),
  namedPsuId: state.namedPsuId,
  owners,
  signaturesRequired: state.signaturesRequired,
  expiresAt: state.expiresAt,
});

/** The owner of an account as the bank reports it; undefined if it does not. */
export const listOwners = (
  account: { readonly corporateId?: string; readonly ownerPsuId?: string } | undefined,
): readonly ItemOwner[] => {
  if (account?.corporateId !== undefined) return [{ corporateId: account.corporateId }];
  return account?.ownerPsuId === undefined ? [] : [{ psuId: account.ownerPsuId }];
};
