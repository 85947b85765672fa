import type { OpenApiDocument } from '@xs2a/gateway/openapi/document';
import { type Html, html } from '@xs2a/html/html';
import { codeBlock } from '../pages/code.js';
import { byTag, methodLabel } from '../reference/tree.js';
import { pageOf } from '../reference/operations.js';
import { prettyBody, statusPill } from '../workspace/requests-pages.js';
import { signingLink } from '../workspace/answers.js';
import type { Session } from '../workspace/session.js';
import type { ApiAnswer } from '../workspace/tpp-api.js';
import { unreadBodyNote } from '../workspace/unread-body.js';
import { note, csrfField, workspacePage } from '../workspace/workspace-page.js';
import { canBeTried, type Input, type TryForm } from './inputs.js';

/** The operations that can be tried. */
export const tryIndexPage = (session: Session, document: OpenApiDocument): Html =>
  workspacePage({
    session,
    path: '/workspace/try',
    title: 'Try a call',
    body: html`<p class="lead">
        Send a request with the token of your application, and see what the bank answers.
      </p>
      ${byTag(document).map(({ tag, operations }) => {
        const tried = operations.filter(canBeTried);
        return tried.length === 0
          ? undefined
          : html`<h2>${tag.name}</h2>
              <ul class="rows operations">
                ${tried.map(
                  ({ method, operation }) =>
                    html`<li>
                      ${methodLabel(method)}
                      <a href="/workspace/try/${operation.operationId}">${operation.summary}</a>
                    </li>`,
                )}
              </ul>`;
      })}`,
  });

export interface Tried {
  readonly session: Session;
  readonly form: TryForm;
  /** What was sent before; empty at first. */
  readonly sent: URLSearchParams;
  /** The name of the body that is shown at first. */
  readonly bodyName?: string;
  /** The stored call that the form repeats. `hasBody`: false if the log lacks the body that was sent. */
  readonly repeats?: { readonly requestId: string; readonly hasBody: boolean };
  readonly problem?: string;
  readonly answer?: ApiAnswer;
}

/** The form of an operation, with the answer to what was sent. */
export const tryPage = ({ session, form, sent, bodyName, repeats, problem, answer }: Tried): Html => {
  const { placed, inputs, bodies } = form;
  const { operation, method, path } = placed;
  const body = bodies.find(({ name }) => name === bodyName) ?? bodies.find(isPossible) ?? bodies[0];
  const here = `/workspace/try/${operation.operationId}`;
  return workspacePage({
    session,
    path: here,
    title: operation.summary,
    body: html`<p class="call">
        ${methodLabel(method)} <code>${path}</code> <a href="${pageOf(operation)}">reference</a>
      </p>
      ${problem === undefined ? undefined : note('problem', problem)}
      ${repeats === undefined ? undefined : repeatsNote(repeats)}
      ${answer === undefined ? undefined : answerShown(answer)}
      ${
        bodies.length < 2
          ? undefined
          : html`<p>
              Examples:
              ${bodies
                .filter(isPossible)
                .map(
                  ({ name }) =>
                    html`<a href="${here}?${new URLSearchParams({ body: name }).toString()}">${name}</a> `,
                )}
            </p>`
      }
      ${refused(bodies)}
      <form class="form wide-form" method="post" action="${here}">
        ${csrfField(session)}
        ${inputs.filter(isUsual).map((one) => inputShown(possibleOf(one, bodies, sent.get(one.field) ?? bodyName), sent, body?.name))}
        ${
          body === undefined
            ? undefined
            : html`<label
                >Body
                <textarea name="body" spellcheck="false">${sent.get('body') ?? body.text}</textarea>
              </label>`
        }
        ${more(inputs, sent)}
        <label
          >Access token
          <span class="quiet"
            >Leave it empty to use your application’s token. Operations on accounts need a customer’s
            token.</span
          >
          <input type="password" name="accessToken" autocomplete="off" maxlength="4000" />
        </label>
        <p><button class="button">Send</button></p>
      </form>`,
  });
};

const isPossible = ({ note: reason }: TryForm['bodies'][number]): boolean => reason === '';

/**
 * Renders the products of which this bank refuses every payment, each with the reason; undefined if there is no such
 * product.
 */
const refused = (bodies: TryForm['bodies']): Html | undefined => {
  const some = bodies.filter((one) => !isPossible(one));
  if (some.length === 0) return undefined;
  return html`<p class="quiet">Not possible here:</p>
    <ul class="quiet">
      ${some.map(({ name, note: reason }) => html`<li><code>${name}</code> ${reason}</li>`)}
    </ul>`;
};

const repeatsNote = ({ requestId, hasBody }: NonNullable<Tried['repeats']>): Html =>
  html`${hasBody ? undefined : note('problem', html`${unreadBodyNote} Enter it again.`)}
    <p>
      The form has the values of <a href="/workspace/requests/${requestId}">this call</a>, without tokens and
      what else was hidden. If it was sent with a customer’s token, paste one below.
    </p>`;

/** True if most calls have it; the others are folded. */
const isUsual = ({ isRequired, initial, place }: Input): boolean =>
  isRequired || initial !== '' || place === 'query';

const more = (inputs: readonly Input[], sent: URLSearchParams): Html | undefined => {
  const folded = inputs.filter((one) => !isUsual(one));
  if (folded.length === 0) return undefined;
  const isUsed = folded.some(({ field }) => (sent.get(field) ?? '') !== '');
  return html`<details class="more" ${isUsed ? html`open` : undefined}>
    <summary>${folded.length === 1 ? 'One optional header' : `${folded.length} optional headers`}</summary>
    ${folded.map((one) => inputShown(one, sent, undefined))}
  </details>`;
};

/**
 * Returns the input without the products of which this bank refuses every payment. A product that is already chosen
 * stays selectable.
 */
const possibleOf = (input: Input, bodies: TryForm['bodies'], chosen: string | undefined | null): Input => ({
  ...input,
  values: input.values.filter(
    (value) => value === chosen || bodies.every((body) => body.name !== value || isPossible(body)),
  ),
});

const inputShown = (
  { field, name, meaning, isRequired, values, initial }: Input,
  sent: URLSearchParams,
  bodyName: string | undefined,
): Html => {
  const isProduct = name === 'payment-product' && bodyName !== undefined && bodyName !== '';
  const value = sent.get(field) ?? (isProduct ? bodyName : initial);
  const label = html`<code>${name}</code>
    ${isRequired ? undefined : html`<span class="optional">optional</span>`}
    <span class="quiet">${meaning}</span>`;
  if (values.length > 1)
    return html`<label
      >${label}
      <select name="${field}">
        ${isRequired ? undefined : html`<option value=""></option>`}
        ${values.map((one) => html`<option ${one === value ? html`selected` : undefined}>${one}</option>`)}
      </select>
    </label>`;
  return html`<label
    >${label}
    <input
      name="${field}"
      value="${value}"
      maxlength="4000"
      autocomplete="off"
      ${isRequired ? html`required` : undefined}
    />
  </label>`;
};

const answerShown = (answer: ApiAnswer): Html => {
  const { status, headers, text, requestId } = answer;
  const link = signingLink(answer);
  const shown = [
    ...[...headers].map(([name, value]) => `${name}: ${value}`),
    ...(text === '' ? [] : ['', prettyBody(text)]),
  ].join('\n');
  return html`<section aria-labelledby="answer">
    <h2 id="answer">Answer</h2>
    <p>
      ${statusPill(status)}
      <a href="/workspace/requests/${requestId}">${status < 400 ? 'What was sent' : 'Why it was refused'}</a>
    </p>
    ${link === undefined ? undefined : html`<p><a class="button" href="${link}">Sign as the customer</a></p>`}
    ${codeBlock(`Answer ${status}`, shown)}
  </section>`;
};
