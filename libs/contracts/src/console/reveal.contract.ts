import type { ConsentReveal } from '@xs2a/domain/consent/consent-reveal';
import type { PaymentReveal } from '@xs2a/domain/payment/payment-reveal';
import { call } from '../call.js';
import type { FoundPayments, PaymentSearch } from './payment-search.contract.js';

/** One field of one payment or consent, which its service stores encrypted. */
export interface RevealField<Field> {
  /** @format uuid */
  readonly id: string;
  readonly field: Field;
  /** The number of an entry of a bulk payment, from 1, which is the default. */
  readonly entry?: number;
}
/** The values of the field, none if it was not given; or why there are none. */
export type RevealedField =
  | { readonly values: readonly string[] }
  /** `erased`: the personal data were erased. `unknown`: nothing with this id is stored, or it is archived. */
  | { readonly missing: 'erased' | 'unknown' };

/** For the console, which records who asks before it asks. No other NATS user may make these calls. */
export const revealPaymentField = call<RevealField<PaymentReveal>, RevealedField>(
  'svc.payments.console.reveal',
  'idempotent',
);
export const revealConsentField = call<RevealField<ConsentReveal>, RevealedField>(
  'svc.consents.console.reveal',
  'idempotent',
);

/** An operator asks with the `xs2a` command. The console records it, and counts it like a reveal of the page. */
export interface RevealByCommand extends RevealField<PaymentReveal | ConsentReveal> {
  /** An action with an id that is already recorded reveals nothing. @format uuid */
  readonly actionId: string;
  readonly kind: 'payment' | 'consent';
  /** The name that the operator gave, or that of the operating system user. */
  readonly operator: string;
  readonly reason: string;
}
/** The values, or the sentence that says why they are not shown. */
export type RevealedByCommand =
  | { readonly values: readonly string[]; readonly left: number }
  | { readonly refused: string };
/** For the bank's operator. No other NATS user may make this call. */
export const revealByCommand = call<RevealByCommand, RevealedByCommand>(
  'svc.console.operator.reveal',
  'not-idempotent',
  5000,
);

/** An operator searches in encrypted data with the `xs2a` command. It is recorded, and counts like a revealed field. */
export interface SearchByCommand extends Omit<PaymentSearch, 'reason'> {
  /** @format uuid */
  readonly actionId: string;
  readonly reason: string;
}
/** For the bank's operator. No other NATS user may make this call. */
export const searchByCommand = call<
  SearchByCommand,
  { readonly found: FoundPayments; readonly left: number } | { readonly refused: string }
>('svc.console.operator.search', 'not-idempotent', 12_000);
