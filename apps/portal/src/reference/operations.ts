import type { OpenApiDocument } from '@xs2a/gateway/openapi/document';

/** A schema of the description, in the parts that the pages show. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean)[];
  readonly default?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

interface Example {
  readonly value: unknown;
  readonly summary?: string;
  readonly description?: string;
}
export interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}
export interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

/** An operation at its place in the description. */
export interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The operations of the description, in its order. */
export const listOperations = ({ paths }: OpenApiDocument): readonly PlacedOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: operation as unknown as Operation,
    })),
  );

/** The address of an operation's page. */
export const pageOf = ({ operationId }: Pick<Operation, 'operationId'>): string =>
  `/reference/${operationId}`;

/** Returns a part of the description, or the component to which its reference points. */
export const resolve = <Part extends object>(document: OpenApiDocument, part: Part): Part => {
  const reference: unknown = Reflect.get(part, '$ref');
  if (typeof reference !== 'string') return part;
  const found = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => Reflect.get(Object(at), name), document);
  return resolve(document, found as Part);
};
