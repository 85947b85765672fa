import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import type { OpenApiDocument } from '@xs2a/gateway/openapi/document';
import { withoutEffect } from '@xs2a/gateway/openapi/operations/standard-headers';
import { type Html, html } from '@xs2a/html/html';
import { codeBlock } from '../pages/code.js';
import { page } from '../pages/layout.js';
import { listBodies } from './bodies.js';
import { codesAddressOf } from './codes-page.js';
import { fieldList } from './field-list.js';
import { listFields, mergeFields, type FieldRow, typeText } from './fields.js';
import { languages } from './languages.js';
import {
  type Answer,
  type Content,
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

const rowOf = (parameter: Parameter): FieldRow => ({
  path: parameter.name,
  type: typeText(parameter.schema),
  meaning: parameter.description,
  needs: [parameter.required ? 'required' : 'optional'],
});

const hasEffect = ({ description }: Parameter): boolean => !description.endsWith(withoutEffect);

const parameterLists = (document: OpenApiDocument, { parameters = [] }: Operation): readonly Html[] => {
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
      const rows = all.filter((one) => one.in === place && hasEffect(one)).map(rowOf);
      return rows.length === 0
        ? []
        : [
            html`<h2 id="${place}">${title}</h2>
              ${fieldList(rows, { anchor: place })}`,
          ];
    }),
    ...(idle.length === 0
      ? []
      : [
          html`<details class="idle">
            <summary>${idle.length} headers of the standard that have no effect here</summary>
            ${fieldList(idle.map(rowOf).map((row) => ({ ...row, meaning: row.meaning.replace(` ${withoutEffect}`, '') })))}
          </details>`,
        ]),
  ];
};

const bodySection = (reference: Reference, placed: PlacedOperation): Html | undefined => {
  const { document, standard } = reference;
  const bodies = listBodies(document, placed, standard);
  if (bodies.length === 0) return undefined;
  return html`<h2 id="body">Body</h2>
    <p class="quiet">
      A field that is missing, malformed or unknown is 400 <code>FORMAT_ERROR</code> with its path; all of
      them are listed together.
    </p>
    ${fieldList(mergeFields(bodies), {
      anchor: 'body',
      names: bodies.map(({ name }) => name),
      ...(placed.path.includes('{payment-product}')
        ? { codesOf: (path: string) => codesAddressOf(path, standard) }
        : {}),
    })}`;
};

const jsonOf = (content: Answer['content']): Content | undefined => content?.['application/json'];

const answers = (document: OpenApiDocument, { responses }: Operation): Html => {
  const all = Object.entries(responses).map(([status, answer]) => ({
    status,
    answer: resolve(document, answer),
  }));
  const success = all.find(({ status }) => status.startsWith('2'));
  const schema = jsonOf(success?.answer.content)?.schema;
  const rows = schema === undefined ? [] : mergeFields([{ name: '', fields: listFields(document, schema) }]);
  return html`<h2 id="answer">Answer</h2>
    ${
      rows.length === 0
        ? html`<p>${success === undefined ? 'A redirect' : html`${success.status}, without a body`}.</p>`
        : html`<details>
            <summary>The ${rows.length} fields of ${success?.status}</summary>
            ${fieldList(
              rows.map((row) => ({
                ...row,
                needs: row.needs.map((need) => (need === 'required' ? 'optional' : need)),
              })),
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
        ${parameterLists(document, operation)} ${bodySection(reference, placed)}
        ${answers(document, operation)}
      </div>
      <div class="samples">${requestTabs(reference, placed)} ${answerExample(document, operation)}</div>
    </div>`;
  const tree = { title: 'Pages of the reference', links: referenceTree(document, operation.operationId) };
  return page({ path: pageOf(operation), title: operation.summary, body, tree });
};
