import type { FieldTable } from '@xs2a/events/field-tables';

/** One row of the approval page that a PSU signed: its label and its value as text. */
export interface ShownRow {
  readonly label: string;
  readonly value: string;
  /**
   * The part of the signed content that the row shows. Absent if the one-time code is not bound to the content of the
   * row, and for a schedule.
   */
  readonly shows?: 'amount' | 'payee' | 'payeeAccount' | 'count';
}

/** What proves later what a PSU saw and signed. Events of releases that did not keep it have none. */
export interface SignatureEvidence {
  /**
   * The SHA-256 of the content to which the one-time code was bound (`otpBinding`), in base64url. For an item of a
   * signing basket, that of the basket.
   */
  readonly binding: string;
  /** The language of the page that the PSU signed, such as `bg`. */
  readonly language: string;
  /** A digest of all texts of the pages in that language. */
  readonly textsVersion: string;
  /**
   * Only of a signing basket, at most ten: the digests of its items, from which `binding` is computed. Each item keeps
   * them, so that its own events are sufficient.
   */
  readonly items?: readonly string[];
  /**
   * The rows of the approval page in the order in which the PSU read them, without the names and balances of accounts.
   * Absent for a consent and for a signing basket, because their pages also show other resources.
   */
  readonly rows?: readonly ShownRow[];
}

/** A digest of an account and a name can be guessed, and the language says something about the PSU. */
export const evidenceFields: FieldTable<SignatureEvidence> = {
  binding: 'personal',
  language: 'personal',
  textsVersion: 'plain',
  items: 'personal',
  rows: 'personal',
};
