import { failures } from '@xs2a/domain/failure/failures';
import { fundsNotAvailable } from '@xs2a/domain/failure/status-messages';
import { paymentServices } from '@xs2a/domain/payment/payment-services';
import { paymentBodyIn } from '@xs2a/gateway/openapi/examples';
import { operationIdUnder } from '@xs2a/gateway/openapi/operations/payment-operations';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import type { Profile } from '@xs2a/domain/profile/profile';
import { type Html, html } from '@xs2a/html/html';
import { describedOperation } from '@xs2a/refusals/described-requests';
import { fieldRules } from '@xs2a/refusals/field-rules';
import { type Rule, ruleOfField } from '@xs2a/refusals/rules';
import { codeBlock } from '../pages/code.js';
import { page } from '../pages/layout.js';
import { marked } from '../pages/marked.js';
import type { ErrorCase } from './error-case.js';
import { casesAt, errorCodes, isReturnedAt } from './error-codes.js';
import { rewordedRule } from './rewordings.js';

/** A code that a browser may break after each underscore. */
const breakable = (code: string): readonly Html[] =>
  code.split('_').map((word, at) => (at === 0 ? html`${word}` : html`_<wbr />${word}`));

const links = (current?: string): Html =>
  html`<ul>
    ${[...errorCodes.keys()].map(
      (code) =>
        html`<li>
          <a href="/errors/${code}" ${code === current ? html`aria-current="page"` : undefined}
            >${breakable(code)}</a
          >
        </li>`,
    )}
  </ul>`;

const statusesOf = (cases: readonly ErrorCase[]): readonly number[] =>
  [...new Set(cases.map(({ status }) => status))].sort((one, other) => one - other);

/** The list of all error codes. */
export const errorsPage = (): Html =>
  page({
    path: '/errors',
    title: 'Errors',
    tree: { title: 'Error codes', links: links() },
    body: html`<h1>Errors</h1>
      <p class="lead">
        A refused request has a status, a code, and a text that says what to do. <code>path</code> names the
        field or header of a violation. The status of a payment or basket that was rejected or not executed
        has such messages too, with HTTP status 200.
      </p>
      ${codeBlock('Answer', exampleOf('FORMAT_ERROR'))}
      <h2>Codes</h2>
      <ul class="rows">
        ${[...errorCodes].map(
          ([code, cases]) =>
            html`<li>
              <p>
                <a href="/errors/${code}"><b>${code}</b></a>
                <span class="quiet">${statusesOf(cases).join(', ')}</span>
              </p>
              <p>${cases[0]?.texts[0]}</p>
            </li>`,
        )}
      </ul>`,
  });

/** Returns an example answer with the code, as JSON: the answer to a refused call, or the status of a payment. */
const exampleOf = (code: string): string => {
  if (code === fundsNotAvailable.code)
    return JSON.stringify(
      { transactionStatus: 'ACCP', fundsAvailable: false, tppMessages: [fundsNotAvailable] },
      null,
      2,
    );
  const message =
    code === 'FORMAT_ERROR'
      ? { code, path: 'instructedAmount.amount', text: failures.fieldMalformed[2] }
      : { code, text: errorCodes.get(code)?.[0]?.texts[0] };
  return JSON.stringify({ tppMessages: [{ category: 'ERROR', ...message }] }, null, 2);
};

const caseShown = ({ status, texts, cause, remedy }: ErrorCase): Html =>
  html`<li>
    ${texts.map((text) => html`<p><span class="pill attention">${status}</span> <b>${text}</b></p>`)}
    <p><span class="quiet">Cause:</span> ${marked(cause)}</p>
    ${
      remedy.length === 0
        ? html`<p><span class="quiet">Remedy:</span> correct the request and send it again.</p>`
        : html`<p class="quiet">Remedy:</p>
            <ol>
              ${remedy.map((step) => html`<li>${marked(step)}</li>`)}
            </ol>`
    }
  </li>`;

/**
 * Returns the anchor of a field's rule on the page of FORMAT_ERROR. `key`: operation and field name, as in
 * `fieldRules`.
 */
const anchorOf = (key: string): string => `rule-${key.replace('* ', '').replace(' ', '-')}`;

/**
 * Returns the address of a rule in the portal: the rule of a field is on the page of FORMAT_ERROR, any other rule on
 * the page of its code.
 */
export const ruleAddress = (rule: Rule, code: string): string => {
  const key = Object.keys(fieldRules).find((one) => {
    const [operation = '', name = ''] = one.split(' ');
    return ruleOfField(operation, name) === rule;
  });
  return key === undefined ? `/errors/${code}` : `/errors/FORMAT_ERROR#${anchorOf(key)}`;
};

/** The operations that take a field, as the reference names them: the calls of all payment services have one name in the log. */
const operationsWith = (operation: string, name: string, { standard }: Profile): readonly string[] =>
  operation === 'initiatePayment'
    ? paymentServices
        .filter((service) => name in (describedOperation(operation, standard, service)?.fields ?? {}))
        .map((service) => operationIdUnder(service, operation))
    : [operation];

const fields = (profile: Profile): Html => {
  const standard = standardOf(profile);
  return html`<h2 id="example">A request of the right form</h2>
    ${codeBlock(
      `POST /v1/payments/${standard.periodicProduct}`,
      JSON.stringify(paymentBodyIn(standard), null, 2),
    )}
    <h2 id="fields">Fields, headers and parameters with rules of their own</h2>
    <p>The <a href="/reference">reference</a> lists every field with its type.</p>
    <ul class="rows">
      ${Object.keys(fieldRules).map((key) => {
        const [operation = '', name = ''] = key.split(' ');
        return html`<li id="${anchorOf(key)}">
          <p>
            <code>${name}</code>
            <span class="quiet"
              >${operation === '*' ? 'calls that take it' : operationsWith(operation, name, profile).join(', ')}</span
            >
          </p>
          <p>${marked(rewordedRule(ruleOfField(operation, name)?.text ?? ''))}</p>
        </li>`;
      })}
    </ul>`;
};

/** The page of a code: its cases with cause and remedy, and an answer; undefined for a code that is never returned. */
export const errorPageOf = (code: string, profile: Profile): Html | undefined => {
  const cases = casesAt(code, profile);
  if (cases === undefined) return undefined;
  return page({
    path: `/errors/${code}`,
    title: code,
    tree: { title: 'Error codes', links: links(code) },
    body: html`<h1>${code}</h1>
      <p class="lead">
        ${isReturnedAt(code, profile) ? undefined : 'This bank does not return this code; other banks do.'}
        ${
          cases.length === 1
            ? `Returned with status ${statusesOf(cases).join()}.`
            : `Has ${cases.length} causes, with status ${statusesOf(cases).join(', ')}.`
        }
        ${
          statusesOf(cases).some((status) => status >= 400)
            ? 'The text of an answer is one of those below, or a text that is specific to a field or header and states what to send.'
            : undefined
        }
      </p>
      <ul class="rows">
        ${cases.map(caseShown)}
      </ul>
      <h2 id="answer">Answer</h2>
      ${codeBlock('application/json', exampleOf(code))}
      ${code === 'FORMAT_ERROR' ? fields(profile) : undefined}
      <p><a href="/errors">All error codes</a></p>`,
  });
};
