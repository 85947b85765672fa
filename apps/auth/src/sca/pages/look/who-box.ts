import { type Html, html } from '@xs2a/html/html';
import type { Language } from '../../catalogue/catalogue.js';
import type { AuthorisationKind } from '../../catalogue/approval-kinds.js';
import { catalogues } from '../../catalogue/catalogues.js';
import { authorityText } from './authority.js';

/** Who asks, and for what kind of approval. */
export interface Asker {
  readonly kind: AuthorisationKind;
  readonly tppName: string;
  /** The identifier in the TPP's certificate, for example `PSDBG-BNB-12345` (ETSI TS 119 495). */
  readonly tppIdentifier?: string;
}

/** The first letters of at most two words of a name. */
const initials = (name: string): string =>
  (name.match(/[\p{L}\p{N}]+/gu) ?? [])
    .flatMap((word) => word.split(/(?<=\p{Ll})(?=\p{Lu})/u))
    .slice(0, 2)
    .map((word) => [...word][0]?.toLocaleUpperCase() ?? '')
    .join('');

/** The box that names the TPP, as it is registered with the bank and with its authority. */
export const whoBox = ({ kind, tppName, tppIdentifier }: Asker, language: Language): Html => {
  const { who } = catalogues[language];
  const registered =
    tppIdentifier === undefined
      ? who.registeredHere
      : `${tppIdentifier}, ${who.register(authorityText(tppIdentifier, language))}`;
  return html`<div class="who">
    <span class="initials" aria-hidden="true">${initials(tppName)}</span>
    <p><b>${tppName}</b> ${who.asks[kind]}<small>${registered}</small></p>
  </div>`;
};
