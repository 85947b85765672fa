import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import { call } from '../call.js';

/** A page of the people that a TPP created, newest first (contract 13); only in the sandbox. */
export interface ListOwnPsus {
  readonly tppId: string;
  readonly limit: number;
  /** `next` of the page before. */
  readonly before?: string;
}
export interface OwnAccount {
  /** @format iban */
  readonly iban: string;
  readonly status: 'enabled' | 'blocked' | 'closed';
  /** What is booked, without a credit limit; negative while the credit is used. */
  readonly balance: MinorAmount;
}
export interface OwnPsu {
  readonly psuId: string;
  readonly name: string;
  /** Present if the PSU signs for a company. */
  readonly corporateId?: string;
  /** The PSU's own accounts, or those of the company. */
  readonly accounts: readonly OwnAccount[];
}
/** Fails with fieldMalformed (path `cursor`) for a `before` that is not `next` of a page. */
export const listOwnPsus = call<ListOwnPsus, { readonly psus: readonly OwnPsu[]; readonly next?: string }>(
  'svc.accounts.sandbox.list-psus',
  'idempotent',
);
