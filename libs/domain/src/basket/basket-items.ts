import type { PaymentState } from '../payment/payment-state.js';
import { isGroupedPayment } from '../payment/payment-transitions.js';
import type { SignatureEvidence } from '../sca/signature-evidence.js';
import { isGroupedOut } from './groupings.js';

/** The owner of an item's account: a corporate with signers, or a single PSU. */
export type ItemOwner = { readonly corporateId: string } | { readonly psuId: string };

/** One signer's signature, given through an authorisation of the basket. */
export interface GroupedApprovalRef {
  readonly authorisationId: string;
  readonly psuId: string;
  readonly evidence?: SignatureEvidence;
}

/** The facts about an item that the basket rules need. */
export interface ItemFacts {
  /** True for a single payment, a bulk payment or a consent; a periodic order cannot be in a basket. */
  readonly isGroupable: boolean;
  /** True if the payment is RCVD or the consent is received. */
  readonly isReceived: boolean;
  /** True if the item is in another basket. */
  readonly isGrouped: boolean;
  /** True if the item has been in the maximum number of baskets, so that no further basket can claim it. */
  readonly isGroupedOut: boolean;
  readonly namedPsuId?: string;
  /** The owners of the item's accounts, if known to the bank. */
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

/** The owner of an account as a list, which is empty if the bank does not report an owner. */
export const listOwners = (
  account: { readonly corporateId?: string; readonly ownerPsuId?: string } | undefined,
): readonly ItemOwner[] => {
  if (account?.corporateId !== undefined) return [{ corporateId: account.corporateId }];
  return account?.ownerPsuId === undefined ? [] : [{ psuId: account.ownerPsuId }];
};
