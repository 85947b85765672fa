import { type Html, html } from '@xs2a/html/html';
import { actionForm } from '../actions/action-form.js';

/** The command that exports the same file, up to its reason. */
export const bundleCommand = (paymentId: string): string =>
  `xs2a payments bundle ${paymentId} --out dispute.json`;

/** The part of a payment's page that exports its dispute bundle. */
export const bundleForm = (paymentId: string, csrf: string): Html => html`
  <details class="card">
    <summary>Export the dispute bundle</summary>
    ${actionForm({
      csrf,
      to: `/payments/${paymentId}/bundle`,
      does: 'Saves a signed file with everything about this payment in clear text: accounts, names, texts and the PSU. Keep it as safe as the database, and delete it when the dispute has ended.',
      button: 'Export',
      command: bundleCommand(paymentId),
      hidden: {},
    })}
  </details>
`;
