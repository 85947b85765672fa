import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import type { OpenApiDocument } from '../document.js';
import { withoutEffect } from '../operations/standard-headers.js';
import { block, code, escape, fold, table } from './html.js';
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
    {
      readonly example?: unknown;
      readonly examples?: Readonly<
        Record<string, { readonly value: unknown; readonly description?: string }>
      >;
    }
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

/**
 * A request example is titled after its product. Failure examples are titled after their codes, which are listed
 * in a separate table.
 */
const exampleHtml = (title: string, content: Content | undefined): string => {
  const { example, examples = {} } = content?.['application/json'] ?? {};
  const shown: readonly (readonly [string, { readonly value: unknown; readonly description?: string }])[] =
    example === undefined ? Object.entries(examples) : [['', { value: example }]];
  return shown
    .map(
      ([name, { value, description = '' }]) =>
        `<p>${escape(name === '' ? title : `${title}: ${name}`)}${description === '' ? '' : `. ${escape(description)}`}</p>${block(JSON.stringify(value, null, 2))}`,
    )
    .join('');
};

const bodyLinks = ({ purposeCodeProducts }: PaymentStandard): string => {
  const purposes = purposeCodeProducts.length === 0 ? '' : ', <a href="#purpose-codes">purpose codes</a>';
  return `<p>What the body contains: <a href="#fields">fields by product</a>, <a href="#codes">codes</a>${purposes}.</p>`;
};

type Parameters = NonNullable<Operation['parameters']>;

const parameterTable = (name: string, parameters: Parameters): string =>
  parameters.length === 0
    ? ''
    : table(
        name,
        ['Parameter', 'Where', 'Meaning'],
        parameters.map((one) => [code(one.name), escape(one.in), escape(one.description)]),
      );

/** The parameters that have an effect, followed by the standard headers without effect, which are collapsed. */
const parametersHtml = (operation: string, parameters: Parameters): string => {
  const hasEffect = ({ description }: Parameters[number]): boolean => !description.endsWith(withoutEffect);
  const others = parameters.filter((one) => !hasEffect(one));
  return [
    parameterTable(`Parameters of ${operation}`, parameters.filter(hasEffect)),
    others.length === 0
      ? ''
      : fold(
          `${others.length} standard headers that are accepted but have no effect here`,
          parameterTable(`Headers of ${operation} that have no effect`, others),
        ),
  ].join('\n');
};

const operationHtml = (
  {
    method,
    path,
    operation,
  }: { readonly method: string; readonly path: string; readonly operation: Operation },
  standard: PaymentStandard,
): string => {
  const { parameters = [], requestBody, responses } = operation;
  const answers = Object.entries(responses);
  const success = answers.find(([status]) => status.startsWith('2'));
  return `<details><summary><span class="method">${method.toUpperCase()}</span> ${code(path)} <span class="what">${escape(operation.summary)}</span></summary>
${operation.description === undefined ? '' : `<p>${escape(operation.description)}</p>`}
${tokenHtml(operation.security)}
${path.includes('{payment-product}') && requestBody !== undefined ? bodyLinks(standard) : ''}
${parametersHtml(`${method} ${path}`, parameters)}
${exampleHtml('Request', requestBody?.content)}
${exampleHtml('Response', success?.[1].content)}
${table(
  `Responses of ${method} ${path}`,
  ['Status', 'Codes'],
  answers.map(([status, answer]) => [status, escape(answer.description)]),
)}</details>`;
};

/** The operations with one tag, each collapsed. */
export const operationsHtml = ({ paths }: OpenApiDocument, tag: string, standard: PaymentStandard): string =>
  Object.entries(paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]: [string, Schema]) => ({
        method,
        path,
        operation: operation as unknown as Operation,
      })),
    )
    .filter(({ operation }) => operation.tags.includes(tag))
    .map((one) => operationHtml(one, standard))
    .join('\n');
