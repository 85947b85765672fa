import type { PaymentState } from '../payment/payment-state.js';
import { isGroupedPayment } from '../payment/payment-transitions.js';
import { isGroupedOut } from './groupings.js';

/** The owner of an item's account: a corporate with signers, or a person. */
export type ItemOwner = { readonly corporateId: string } | { readonly psuId: string };

/** One person's signature, given through the authorisation of the basket. */
export interface GroupedApprovalRef {
  readonly authorisationId: string;
  readonly psuId: string;
}

/** The facts about one of the TPP's items that the basket rules need. */
export interface ItemFacts {
  /** True for a single payment, a bulk payment or a consent; a periodic order cannot be in a basket. */
  readonly isGroupable: boolean;
  /** True if the status is RCVD or received. */
  readonly isReceived: boolean;
  /** True if it is in another basket. */
  readonly isGrouped: boolean;
  /** True if it has been in so many baskets that no further basket can claim it. */
  readonly isGroupedOut: boolean;
  readonly namedPsuId?: string;
  /** The owners of its accounts, if known to the bank. */
  readonly owners: readonly ItemOwner[];
  readonly signaturesRequired: number;
  /** ISO instant. */
  readonly expiresAt: string;
}

/** A payment as a basket item. */
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

/** The owner of an account, as a list; empty if the bank does not report one. */
export const listOwners = (
  account: { readonly corporateId?: string; readonly ownerPsuId?: string } | undefined,
): readonly ItemOwner[] => {
  if (account?.corporateId !== undefined) return [{ corporateId: account.corporateId }];
  return account?.ownerPsuId === undefined ? [] : [{ psuId: account.ownerPsuId }];
};
