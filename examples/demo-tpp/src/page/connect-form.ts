import { type Html, html } from '@xs2a/html/html';
import { form } from './layout.js';
import type { Visit } from './visit.js';

/** The form that asks for access to the accounts of a user of the bank. */
export const connectForm = (visit: Visit): Html =>
  html`<p>
      You sign in at the bank, choose the accounts there, and come back. This app never sees your password.
    </p>
    ${form(
      visit,
      '/connect',
      html`<label for="psuId">User name at the bank</label>
        <input
          id="psuId"
          name="psuId"
          value="${visit.session.person?.psuId}"
          autocomplete="off"
          autocapitalize="none"
          maxlength="64"
          required
        />
        <button>Connect my bank</button>`,
    )}`;
