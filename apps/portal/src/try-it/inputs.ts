import type { EndpointId } from '@xs2a/gateway/endpoint-rules';
import type { OpenApiDocument } from '@xs2a/gateway/openapi/document';
import { withoutEffect } from '@xs2a/gateway/openapi/operations/standard-headers';
import { randomToken } from '@xs2a/runtime/ids';
import { listOperations, type Parameter, type PlacedOperation, resolve } from '../reference/operations.js';
import { exampleAddress, headersOf, listExamples } from '../reference/requests.js';

/** A field of the form: a parameter of the operation. */
export interface Input {
  /** The name of the form's field: `path.paymentId`, `query.pageSize`, `header.PSU-ID`. */
  readonly field: string;
  readonly name: string;
  readonly place: Parameter['in'];
  readonly meaning: string;
  readonly isRequired: boolean;
  /** The values that it takes, if they are few. */
  readonly values: readonly string[];
  /** What the field has at first. */
  readonly initial: string;
}

/** The form of an operation. */
export interface TryForm {
  readonly placed: PlacedOperation;
  readonly inputs: readonly Input[];
  /**
   * The example bodies in the API description, by name; empty if the operation accepts no body. `note`: why this bank
   * refuses every payment with the body; otherwise empty.
   */
  readonly bodies: readonly { readonly name: string; readonly text: string; readonly note: string }[];
}

/** What the workspace sends itself. */
const ownHeaders = new Set(['X-Request-ID', 'Authorization', 'Content-Type']);

const initialOf = (parameter: Parameter, { method, operation }: PlacedOperation): string => {
  const [, needed] = headersOf[operation.operationId]?.find(([name]) => name === parameter.name) ?? [];
  if (needed !== undefined) return needed;
  if (parameter.name === 'Idempotency-Key') return method === 'POST' ? randomToken(16) : '';
  if (parameter.name === 'PSU-IP-Address') return exampleAddress;
  if (parameter.name === 'bookingStatus') return 'both';
  return parameter.required ? String(parameter.schema.enum?.[0] ?? '') : '';
};

const inputOf = (parameter: Parameter, placed: PlacedOperation): Input => ({
  field: `${parameter.in}.${parameter.name}`,
  name: parameter.name,
  place: parameter.in,
  meaning: parameter.description,
  isRequired: parameter.required,
  values: (parameter.schema.enum ?? []).map(String),
  initial: initialOf(parameter, placed),
});

/**
 * True for what the workspace can send: the endpoints that take an access token. A new secret comes from the overview only,
 * which checks the session's secret before and then has the new one.
 */
export const canBeTried = ({ path, operation }: PlacedOperation): boolean =>
  /^\/(?:v1|sandbox)\//.test(path) &&
  operation.security.length > 0 &&
  operation.operationId !== ('renewSecret' satisfies EndpointId);

/** Returns the form of an operation; undefined if there is none. */
export const tryFormOf = (document: OpenApiDocument, operationId: string): TryForm | undefined => {
  const placed = listOperations(document).find(({ operation }) => operation.operationId === operationId);
  if (placed === undefined || !canBeTried(placed)) return undefined;
  const { operation } = placed;
  const parameters = (operation.parameters ?? []).map((one) => {
    const parameter = resolve(document, one);
    return { ...parameter, schema: resolve(document, parameter.schema) };
  });
  return {
    placed,
    inputs: parameters
      .filter(({ name, description }) => !ownHeaders.has(name) && !description.endsWith(withoutEffect))
      .map((parameter) => inputOf(parameter, placed)),
    bodies: listExamples(operation.requestBody?.content['application/json']).map(({ name, value, note }) => ({
      name,
      note,
      text: JSON.stringify(value, null, 2),
    })),
  };
};
