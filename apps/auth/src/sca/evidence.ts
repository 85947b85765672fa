import type { SignedContent } from '@xs2a/domain/sca/otp-binding';
import type { ShownRow, SignatureEvidence } from '@xs2a/domain/sca/signature-evidence';
import { plainText } from '@xs2a/html/plain-text';
import { digestContent } from '@xs2a/runtime/signing/basket-summary';
import type { Language } from './catalogue/catalogue.js';
import { textsVersion } from './catalogue/texts-version.js';
import type { PageState } from './page-sessions.js';
import type { AuthorisationRequest, Row } from './requests/authorisation-request.js';
import { noNames } from './review/account-names.js';

/** The kinds of signed content whose SCA page shows only one payment. Only their rows are stored, because other pages show more data of the PSU. */
const paymentKinds: ReadonlySet<SignedContent['kind']> = new Set(['payment', 'order', 'bulk']);

/** The part of the signature evidence that describes the SCA page which the PSU saw. */
export type ShownPage = Pick<SignatureEvidence, 'language' | 'textsVersion' | 'rows'>;

/**
 * Returns the language, the version of the texts and, for a payment, the rows of the SCA page at this moment. The names and balances of
 * the PSU's accounts are left out, because they are not data of the payment.
 */
export const shownPage = (
  authorisation: Pick<AuthorisationRequest, 'content' | 'rows'>,
  state: PageState,
  language: Language,
): ShownPage => {
  const { kind } = authorisation.content(state);
  return {
    language,
    textsVersion: textsVersion(language),
    ...(paymentKinds.has(kind)
      ? {
          rows: authorisation
            .rows(state, language, noNames)
            .filter(({ isBrief }) => isBrief !== true)
            .map((row) => shownRow(row, kind)),
        }
      : {}),
  };
};

/** Returns the evidence for a signature event: the digest of the signed content, and what the SCA page showed to the PSU. */
export const evidenceOf = (content: SignedContent, shown: ShownPage): SignatureEvidence => ({
  binding: digestContent(content),
  ...shown,
  ...(content.kind === 'basket' ? { items: content.items } : {}),
});

const shownRow = (row: Row, kind: SignedContent['kind']): ShownRow => {
  const { label, value } = row;
  const shows = shownPart(row, kind);
  return {
    label,
    value: typeof value === 'string' ? value : plainText(value),
    ...(shows === undefined ? {} : { shows }),
  };
};

const shownPart = (
  { isSigned, isAmount, place }: Row,
  kind: SignedContent['kind'],
): ShownRow['shows'] | undefined => {
  if (isSigned !== true) return undefined;
  if (isAmount === true) return 'amount';
  if (place === 'payee' || place === 'payeeAccount') return place;
  return kind === 'bulk' ? 'count' : undefined;
};
