import type { OpenApiDocument } from '../document.js';
import { block, code, escape, table } from './html.js';
import type { Schema } from '../schemas/schema-parts.js';

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description: string;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Answer>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}
interface Answer {
  readonly description: string;
  readonly content?: Content;
}
type Content = Readonly<
  Record<
    string,
    { readonly example?: unknown; readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }
  >
>;

const tokenHtml = (security: Operation['security']): string => {
  const kinds = security.flatMap((one) => Object.entries(one));
  const [[, scopes] = []] = kinds;
  if (scopes === undefined) return '<p>Needs no token.</p>';
  const grants = kinds.map(([kind]) =>
    kind === 'application' ? 'client_credentials' : 'authorization_code',
  );
  const scope = scopes.length === 0 ? 'any scope' : `scope ${code(scopes.join(' '))}`;
  return `<p>Token: ${grants.join(' or ')}, ${scope}.</p>`;
};

/** Codes name the examples of failures, which have a table of their own; products name those of requests. */
const exampleHtml = (title: string, content: Content | undefined): string => {
  const { example, examples = {} } = content?.['application/json'] ?? {};
  const shown = example === undefined ? Object.entries(examples) : [['', { value: example }] as const];
  return shown
    .map(
      ([name, { value }]) =>
        `<p>${escape(name === '' ? title : `${title}: ${name}`)}</p>${block(JSON.stringify(value, null, 2))}`,
    )
    .join('');
};

const bodyLinks =
  '<p>What the body holds: <a href="#fields">fields by product</a>, <a href="#codes">codes</a>, <a href="#purpose-codes">purpose codes</a>.</p>';

const operationHtml = (method: string, path: string, operation: Operation): string => {
  const { parameters = [], requestBody, responses } = operation;
  const answers = Object.entries(responses);
  const success = answers.find(([status]) => status.startsWith('2'));
  return `<details><summary><span class="method">${method.toUpperCase()}</span> ${code(path)} <span class="what">${escape(operation.summary)}</span></summary>
${operation.description === undefined ? '' : `<p>${escape(operation.description)}</p>`}
${tokenHtml(operation.security)}
${
  parameters.length === 0
    ? ''
    : table(
        `Parameters of ${method} ${path}`,
        ['Parameter', 'Where', 'Meaning'],
        parameters.map((one) => [code(one.name), escape(one.in), escape(one.description)]),
      )
}
${path.includes('{payment-product}') && requestBody !== undefined ? bodyLinks : ''}
${exampleHtml('Request', requestBody?.content)}
${exampleHtml('Answer', success?.[1].content)}
${table(
  `Answers of ${method} ${path}`,
  ['Status', 'Codes'],
  answers.map(([status, answer]) => [status, escape(answer.description)]),
)}</details>`;
};

/** The operations of one tag, each to be opened. */
export const operationsHtml = ({ paths }: OpenApiDocument, tag: string): string =>
  Object.entries(paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]: [string, Schema]) => ({
        method,
        path,
        operation: operation as unknown as Operation,
      })),
    )
    .filter(({ operation }) => operation.tags.includes(tag))
    .map(({ method, path, operation }) => operationHtml(method, path, operation))
    .join('\n');
