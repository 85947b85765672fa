import type { SignedContent } from '@xs2a/domain/sca/otp-binding';
import type { SignatureEvidence } from '@xs2a/domain/sca/signature-evidence';
import { digestContent } from '@xs2a/runtime/signing/basket-summary';
import type { Language } from './catalogue/catalogue.js';
import { textsVersion } from './catalogue/texts-version.js';

/** What the signature event keeps of a page that a PSU signs. */
export const evidenceOf = (content: SignedContent, language: Language): SignatureEvidence => ({
  binding: digestContent(content),
  language,
  textsVersion: textsVersion(language),
  ...(content.kind === 'basket' ? { items: content.items } : {}),
});
