import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../openapi/document.js';

/** The parts of an operation in the document that specs read. */
export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly headers?: Readonly<Record<string, unknown>>; readonly content?: Content }>
  >;
  readonly security: readonly object[];
}
type Content = Readonly<
  Record<
    string,
    {
      readonly schema: object;
      readonly example?: unknown;
      readonly examples?: Readonly<
        Record<string, { readonly value: unknown; readonly description?: string }>
      >;
    }
  >
>;

/** The operations of a document, with their paths and methods. */
export const listOperations = (
  document: OpenApiDocument,
): { readonly path: string; readonly method: string; readonly operation: Operation }[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method,
      operation: operation as unknown as Operation,
    })),
  );

/** Rewrites every reference in the document so that it points into the schema registered with ajv. */
const within = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(within);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === '$ref' ? `document${String(inner)}` : within(inner),
    ]),
  );
};

type Violations = (schema: object, value: unknown) => readonly unknown[];

/** A check of values against schemas of the document. */
export const violationsIn = (document: OpenApiDocument): Violations => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', ...document });
  return (schema, value) => {
    const validate = ajv.compile(within(schema) as object);
    return validate(value) ? [] : (validate.errors ?? []);
  };
};

/** The violations in the examples of an operation's request and responses. */
export const wrongExamples = (operation: Operation, violations: Violations): readonly unknown[] =>
  [operation.requestBody?.content, ...Object.values(operation.responses).map(({ content }) => content)]
    .flatMap((content) => Object.values(content ?? {}))
    .flatMap(({ schema, example, examples = {} }) =>
      [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples).map(({ value }) => value),
      ].flatMap((value) => violations(schema, value)),
    );
