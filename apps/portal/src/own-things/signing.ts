import { type Html, html } from '@xs2a/html/html';
import { exampleAddress } from '../reference/requests.js';
import { refusalNote, signingLink } from '../workspace/answers.js';
import type { Session } from '../workspace/session.js';
import type { TppApi } from '../workspace/tpp-api.js';
import type { TppVisit } from '../workspace/visit.js';
import { csrfField, keyField, keyOf, note } from '../workspace/workspace-page.js';

/** The form that starts a signature. `consentId`: the consent in a list of several; otherwise the page is of one payment. */
export const signForm = (session: Session, action: string, consentId?: string): Html =>
  html`<form class="form" method="post" action="${action}">
    ${csrfField(session)} ${keyField()}
    ${
      consentId === undefined
        ? undefined
        : html`<input type="hidden" name="consentId" value="${consentId}" />`
    }
    <details class="more">
      <summary>Several people sign for the account</summary>
      <label
        >PSU-ID <span class="quiet">of the one who signs now</span>
        <input name="psuId" maxlength="128" autocomplete="off" />
      </label>
    </details>
    <p>
      <button
        class="button second"
        name="action"
        value="sign"
        ${consentId === undefined ? undefined : html`aria-label="Sign as the customer: ${consentId}"`}
      >
        Sign as the customer
      </button>
    </p>
  </form>`;

/**
 * Starts an authorisation of a payment or a consent, as its TPP would, and returns a note with the bank's page on which a
 * test person signs or refuses. Passwords are entered only there. `self`: the path of the resource in the API.
 */
export const startSigning = async (api: TppApi, { tpp, form }: TppVisit, self: string): Promise<Html> => {
  const psuId = (form.get('psuId') ?? '').trim();
  const answer = await api.send(tpp, {
    method: 'POST',
    path: `${self}/authorisations`,
    headers: {
      'idempotency-key': keyOf(form),
      'psu-ip-address': exampleAddress,
      ...(psuId === '' ? {} : { 'psu-id': encodeURI(psuId) }),
    },
  });
  const link = signingLink(answer);
  if (link === undefined)
    return refusalNote(answer) ?? note('problem', 'The bank’s answer has no page on which to sign.');
  return note(
    'good',
    html`<a href="${link}">Open the bank’s page</a> to sign or refuse as the customer. The
      <a href="/#people">shared test people</a> have published passwords; the one-time code is
      <code>123456</code>.`,
  );
};
