import type { FieldTable } from '@xs2a/events/field-tables';

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
}

/** A digest of an account and a name can be guessed, and the language says something about the PSU. */
export const evidenceFields: FieldTable<SignatureEvidence> = {
  binding: 'personal',
  language: 'personal',
  textsVersion: 'plain',
  items: 'personal',
};
