import { fundsNotAvailable } from '@xs2a/domain/failure/status-messages';
import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import type { OpenApiDocument } from '@xs2a/gateway/openapi/document';
import { withoutEffect } from '@xs2a/gateway/openapi/operations/standard-headers';
import { type Html, html } from '@xs2a/html/html';
import { statusCases } from '../errors/status-cases.js';
import { codeBlock } from '../pages/code.js';
import { page } from '../pages/layout.js';
import { jsonOf, listAnswerFields, listBodies } from './bodies.js';
import { codesAddressOf } from './codes-page.js';
import { fieldList } from './field-list.js';
import { type FieldRow, mergeFields, parameterRow } from './fields.js';
import { languages } from './languages.js';
import {
  type Answer,
  type Operation,
  pageOf,
  type PlacedOperation,
  type Parameter,
  resolve,
} from './operations.js';
import { exampleRequest, listExamples } from './requests.js';
import { methodLabel, referenceTree } from './tree.js';
import { canBeTried } from '../try-it/inputs.js';

export interface Reference {
  readonly document: OpenApiDocument;
  readonly baseUrl: string;
  readonly standard: PaymentStandard;
  /** True if the portal has a workspace, in which the operation can be tried. */
  readonly hasWorkspace?: boolean;
}

const token = ({ security }: Operation): Html => {
  const kinds = security.flatMap((one) => Object.entries(one));
  const [[, scopes = []] = []] = kinds;
  if (kinds.length === 0) return html`<p>Needs no access token.</p>`;
  const names = kinds.map(([kind]) => (kind === 'application' ? 'client_credentials' : 'authorization_code'));
  return html`<p>
    Access token: <code>${names.join(' or ')}</code>${
      scopes.length === 0 ? ', any scope' : html`, scope <code>${scopes.join(' ')}</code>`
    }.
  </p>`;
};

const hasEffect = ({ description }: Parameter): boolean => !description.endsWith(withoutEffect);

const parameterLists = (document: OpenApiDocument, sentTo: Operation): readonly Html[] => {
  const { parameters = [] } = sentTo;
  const all = parameters.map((one) => {
    const parameter = resolve(document, one);
    return { ...parameter, schema: resolve(document, parameter.schema) };
  });
  const groups = [
    { place: 'path', title: 'Path' },
    { place: 'query', title: 'Query' },
    { place: 'header', title: 'Headers' },
  ] as const;
  const idle = all.filter((one) => !hasEffect(one));
  return [
    ...groups.flatMap(({ place, title }) => {
      const rows = all.filter((one) => one.in === place && hasEffect(one)).map(parameterRow);
      return rows.length === 0
        ? []
        : [
            html`<h2 id="${place}">${title}</h2>
              ${fieldList(rows, { anchor: place, sentTo })}`,
          ];
    }),
    ...(idle.length === 0
      ? []
      : [
          html`<details class="idle">
            <summary>${idle.length} headers of the standard that have no effect here</summary>
            ${fieldList(idle.map((one) => parameterRow({ ...one, description: one.description.replace(` ${withoutEffect}`, '') })))}
          </details>`,
        ]),
  ];
};

/**
 * Renders what an operation does with unlisted query parameters; undefined for OAuth endpoints, where RFC 6749 defines
 * that.
 */
const unlistedQuery = (document: OpenApiDocument, { path, operation }: PlacedOperation): Html | undefined => {
  if (/^\/(?:oauth2|\.well-known)\//.test(path)) return undefined;
  const isPaged = (operation.parameters ?? []).some((one) => resolve(document, one).name === 'pageSize');
  return html`<p class="quiet">
    Query parameters that are not listed are ignored.
    ${
      isPaged
        ? html`<code>pageIndex</code> is 400 <code>PARAMETER_NOT_SUPPORTED</code>: follow the links in
            <code>_links</code>.`
        : undefined
    }
  </p>`;
};

const jsonRule = html`A field that is missing, malformed or unknown is 400 <code>FORMAT_ERROR</code> with its
  path; all of them are listed together.`;
const formRule = html`Send it as <code>application/x-www-form-urlencoded</code>. A field that is missing or
  malformed is 400 <code>invalid_request</code> (RFC 6749); one that is unknown is ignored.`;

const bodySection = (reference: Reference, placed: PlacedOperation): Html | undefined => {
  const { document, standard } = reference;
  const bodies = listBodies(document, placed, standard);
  if (bodies.length === 0) return undefined;
  const isForm = placed.operation.requestBody?.content['application/x-www-form-urlencoded'] !== undefined;
  return html`<h2 id="body">Body</h2>
    <p class="quiet">${isForm ? formRule : jsonRule}</p>
    ${fieldList(mergeFields(bodies), {
      anchor: 'body',
      sentTo: placed.operation,
      names: bodies.map(({ name }) => name),
      ...(placed.path.includes('{payment-product}')
        ? { codesOf: (path: string) => codesAddressOf(path, standard) }
        : {}),
    })}`;
};

/** Describes a successful answer that has no JSON fields, such as a redirect or an answer without a body. */
const withoutFields = (success: { readonly status: string; readonly answer: Answer } | undefined): string => {
  if (success === undefined) return 'A redirect';
  const { status, answer } = success;
  const [type] = Object.keys(answer.content ?? {});
  return type === undefined ? `${status}, without a body` : `${status}, ${type}: ${answer.description}`;
};

/**
 * Returns the codes that `tppMessages` in a status can contain. The warning of missing funds exists only for payments,
 * whose status has `fundsAvailable`; a basket never has this warning.
 */
const messageCodesOf = (rows: readonly FieldRow[]): readonly string[] =>
  statusCases
    .map(([code]) => code)
    .filter((code) => code !== fundsNotAvailable.code || rows.some(({ path }) => path === 'fundsAvailable'));

const answers = (document: OpenApiDocument, operation: Operation): Html => {
  const { responses } = operation;
  const all = Object.entries(responses).map(([status, answer]) => ({
    status,
    answer: resolve(document, answer),
  }));
  const success = all.find(({ status }) => status.startsWith('2'));
  const rows = mergeFields([{ name: '', fields: listAnswerFields(document, operation) }]);
  return html`<h2 id="answer">Answer</h2>
    ${
      rows.length === 0
        ? html`<p>${withoutFields(success)}.</p>`
        : html`<details>
            <summary>
              ${rows.length === 1 ? 'The field' : `The ${rows.length} fields`} of ${success?.status}
            </summary>
            ${fieldList(
              rows.map((row) => ({
                ...row,
                needs: row.needs.map((need) => (need === 'required' ? 'optional' : need)),
              })),
              { messages: messageCodesOf(rows) },
            )}
          </details>`
    }
    <h2 id="errors">Errors</h2>
    <ul class="rows">
      ${all.filter(({ status }) => !status.startsWith('2')).map(({ status, answer }) => errorRow(status, answer))}
    </ul>`;
};

const errorRow = (status: string, { description, content }: Answer): Html => {
  const texts = Object.values(jsonOf(content)?.examples ?? {}).flatMap(({ summary }) => summary ?? []);
  return html`<li>
    ${
      texts.length === 0
        ? html`<b>${status}</b> ${description}`
        : html`<details>
            <summary><b>${status}</b> <code>${description}</code></summary>
            <ul>
              ${[...new Set(texts)].map((text) => html`<li>${text}</li>`)}
            </ul>
          </details>`
    }
  </li>`;
};

/** A request in each language. A radio button, not a script, chooses the language. */
const requestTabs = (reference: Reference, placed: PlacedOperation): Html => {
  const content = placed.operation.requestBody?.content['application/json'];
  const [first, ...others] = listExamples(content);
  const isProduct = placed.path.includes('{payment-product}') && first?.name !== '';
  const request = exampleRequest(
    reference.baseUrl,
    placed,
    first && { value: first.value, ...(isProduct ? { product: first.name } : {}) },
  );
  return html`<fieldset class="tabs">
      <legend class="hidden">Language of the request</legend>
      ${languages.map(
        ({ name }, at) =>
          html`<input
              type="radio"
              name="language"
              id="in-${name}"
              ${at === 0 ? html`checked` : undefined}
            /><label for="in-${name}">${name}</label>`,
      )}
      ${languages.map(({ name, write }) => codeBlock(`${placed.method} in ${name}`, write(request), `in-${name}`))}
    </fieldset>
    ${others.map(
      ({ name, value, note }) =>
        html`<details class="example">
          <summary>Body: ${name}</summary>
          ${note === '' ? undefined : html`<p class="quiet">${note}</p>`}
          ${codeBlock('JSON', JSON.stringify(value, null, 2))}
        </details>`,
    )}`;
};

const answerExample = (document: OpenApiDocument, { responses }: Operation): Html | undefined => {
  const [status, answer] = Object.entries(responses).find(([one]) => one.startsWith('2')) ?? [];
  if (status === undefined || answer === undefined) return undefined;
  const [example] = listExamples(jsonOf(resolve(document, answer).content));
  return example === undefined
    ? undefined
    : codeBlock(`Answer ${status}`, JSON.stringify(example.value, null, 2));
};

/** The page of one operation. */
export const operationPage = (reference: Reference, placed: PlacedOperation): Html => {
  const { method, path, operation } = placed;
  const { document } = reference;
  const body = html`<p class="up"><a href="/reference">API reference</a> / ${operation.tags[0]}</p>
    <h1>${operation.summary}</h1>
    <p class="call">
      ${methodLabel(method)} <code>${path}</code>
      ${
        reference.hasWorkspace === true && canBeTried(placed)
          ? html`<a href="/workspace/try/${operation.operationId}">Try it</a>`
          : undefined
      }
    </p>
    <div class="columns">
      <div class="intro">
        ${operation.description === undefined ? undefined : html`<p>${operation.description}</p>`}
        ${token(operation)}
      </div>
      <div class="words">
        ${parameterLists(document, operation)} ${unlistedQuery(document, placed)}
        ${bodySection(reference, placed)} ${answers(document, operation)}
      </div>
      <div class="samples">${requestTabs(reference, placed)} ${answerExample(document, operation)}</div>
    </div>`;
  const tree = { title: 'Pages of the reference', links: referenceTree(document, operation.operationId) };
  return page({ path: pageOf(operation), title: operation.summary, body, tree });
};
