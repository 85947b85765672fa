import type { FieldTable } from '@xs2a/events/field-tables';
import type { PayeeVerdict } from './payee-verdict.js';

/** A payee as the payer named it, and what its bank answered. */
export interface PaymentPayee {
  /** @format iban */
  readonly iban: string;
  readonly name: string;
  readonly verdict: PayeeVerdict;
  /** With CLOSE_MATCH: the holder's name, which only the payer is shown. */
  readonly disclosedName?: string;
  /** With NOT_POSSIBLE: why, for operators. */
  readonly reason?: string;
}

/** The verification of the payees of a payment, before its first signer sees the review page (contract 15). */
export interface PayeesVerified {
  /** @format uuid */
  readonly authorisationId: string;
  /** The id of the request in which the banks were asked. */
  readonly requestId: string;
  /** @format date-time */
  readonly askedAt: string;
  /** @format date-time */
  readonly answeredAt: string;
  /** The language of the texts that were shown, such as `bg`. */
  readonly language: string;
  /** A digest of all texts of the pages in that language. */
  readonly textsVersion: string;
  /** True if the company that pays has opted out: no bank was asked. */
  readonly isOptedOut: boolean;
  /** Each different payee once; empty if opted out. */
  readonly payees: readonly PaymentPayee[];
}

/** Whether a name matches says something about a person; which banks could not answer does not. */
export const payeesVerifiedFields: FieldTable<PayeesVerified> = {
  authorisationId: 'plain',
  requestId: 'plain',
  askedAt: 'plain',
  answeredAt: 'plain',
  language: 'personal',
  textsVersion: 'plain',
  isOptedOut: 'plain',
  payees: {
    iban: 'personal',
    name: 'personal',
    verdict: 'plain',
    disclosedName: 'personal',
    reason: 'plain',
  },
};

/** A result as the TPP and the pages know it. OPTED_OUT: the company that pays has opted out. */
export type PayeeResult = PayeeVerdict | 'OPTED_OUT';
