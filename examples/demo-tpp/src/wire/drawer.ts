import { type Html, html } from '@xs2a/html/html';
import type { Click, Wire, WireCall, WireMessage } from './wire.js';

type Numbered = Wire['calls'][number];

const timeOf = ({ atMs }: Click): Html => {
  const instant = new Date(atMs).toISOString();
  return html`<time datetime="${instant}">${instant.slice(11, 19)}</time>`;
};

const messageBlock = (name: string, { headers, body }: WireMessage): Html => {
  if (headers.length === 0 && body === '') return html``;
  const head = headers.map(([header, value]) => html`<b>${header}:</b> ${value}${'\n'}`);
  return html`<h3>${name}</h3>
    ${headers.length === 0 ? undefined : html`<pre class="headers">${head}</pre>`}
    ${body === '' ? undefined : html`<pre>${body}</pre>`}`;
};

const outcome = ({ status, ms, isPush }: WireCall): Html => {
  if (isPush) return html`<span class="code push">push</span>`;
  const tone = status !== undefined && status < 400 ? 'good' : 'bad';
  return html`<span class="code ${tone}">${status ?? 'no answer'}</span> <span class="ms">${ms} ms</span>`;
};

const row = ({ number, call }: Numbered): Html =>
  html`<li>
    <details id="call-${number}">
      <summary>
        <span class="verb">${call.method}</span> <span class="path">${call.path}</span>
        <span class="outcome">${outcome(call)}</span>
      </summary>
      ${
        call.requestId === undefined
          ? undefined
          : html`<p class="request-id">
              <span class="quiet">X-Request-ID</span> <code>${call.requestId}</code>
            </p>`
      }
      ${messageBlock('Request', call.request)}
      ${call.answer === undefined ? html`<p>The bank did not answer.</p>` : messageBlock('Answer', call.answer)}
    </details>
  </li>`;

const group = ([click, calls]: readonly [Click, readonly Numbered[]]): Html =>
  html`<section>
    <h2>${click.text} <span class="quiet">${timeOf(click)}</span></h2>
    <ul>
      ${calls.map(row)}
    </ul>
  </section>`;

/** Builds the drawer with the visitor's latest calls, newest first, grouped by what the visitor did. */
export const wireDrawer = ({ calls }: Pick<Wire, 'calls'>): Html => {
  const groups = [...Map.groupBy(calls.toReversed(), ({ call }) => call.click)];
  const count = calls.length === 1 ? '1 call' : `${calls.length} calls`;
  return html`<aside aria-label="HTTP calls">
    <details class="wire" id="wire">
      <summary>
        What just went over the wire <span class="count" id="wire-count" data-live>${count}</span>
      </summary>
      <div class="calls" id="wire-calls" data-live>
        ${
          groups.length === 0
            ? html`<p>
                Nothing yet. Connect an account or pay, and each HTTP call to the bank appears here.
              </p>`
            : html`<p class="quiet">Newest first, times in UTC. Secrets are blanked.</p>`
        }
        ${groups.map(group)}
      </div>
    </details>
  </aside>`;
};
