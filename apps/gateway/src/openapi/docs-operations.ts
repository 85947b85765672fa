import type { OpenApiDocument } from './document.js';
import { block, code, escape, table } from './html.js';
import type { Schema } from './schemas.js';

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
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<Record<string, Answer>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}
interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly example?: unknown }>>;
}

const tokenHtml = ([security]: Operation['security']): string => {
  const [kind, scopes] = Object.entries(security ?? {})[0] ?? [];
  if (kind === undefined) return '<p>Needs no token.</p>';
  const scope = scopes?.length === 0 ? 'any scope' : `scope ${code(scopes?.join(' ') ?? '')}`;
  return `<p>Token: ${kind === 'application' ? 'client_credentials' : 'authorization_code'}, ${scope}.</p>`;
};

const exampleHtml = (title: string, content: Answer['content']): string => {
  const example = content?.['application/json']?.example;
  return example === undefined ? '' : `<p>${escape(title)}</p>${block(JSON.stringify(example, null, 2))}`;
};

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
