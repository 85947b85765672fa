import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import type { StandardName } from '@xs2a/domain/payment/standards/standard-name';
import {
  type DescribedOperation,
  type DescribedParameter,
  describedOperation,
  describedRequests,
  type FieldFacts,
} from './described-requests.js';

/** One form of a field: an operation with several bodies may describe it differently in each. */
interface FieldForm {
  readonly facts: FieldFacts;
  /** The requests that have the field in this form; empty if all of them have. */
  readonly requests: readonly string[];
}

/** A field, header or parameter to which a refusal points. */
export interface DescribedField {
  readonly path: string;
  readonly place: 'body' | DescribedParameter['place'];
  readonly forms: readonly FieldForm[];
}

/** Headers that an OpenAPI document must not list as parameters. */
const otherHeaders: Readonly<Record<string, FieldFacts>> = {
  accept: {
    description: 'Formats of the answer; it must allow application/json',
    sample: 'application/json',
  },
  'content-type': { description: 'Format of the body', sample: 'application/json; charset=utf-8' },
  authorization: { description: 'Access token of this bank', sample: 'Bearer ACCESS_TOKEN' },
  dpop: { description: 'Proof of the key to which the token is bound (RFC 9449)', sample: 'PROOF' },
  host: { description: 'The host of the URL, exactly once', sample: 'HOST' },
};

/** `payments[3].creditorAccount` as it is in the description: `payments[].creditorAccount`. */
const describedPath = (path: string): string => path.replaceAll(/\[\d+\]/g, '[]');

const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Returns the parameter or header of an operation with a name; several if payment services differ. */
export const parametersNamed = (
  operation: string,
  name: string,
  standard: StandardName,
): readonly DescribedParameter[] =>
  describedRequests[standard].parameters.filter(
    (one) => one.operations.includes(operation) && sameName(one.name, name),
  );

export const headerNamed = (name: string): FieldFacts | undefined => {
  const key = name.toLowerCase();
  return Object.hasOwn(otherHeaders, key) ? otherHeaders[key] : undefined;
};

/** The part of a path that the description has: the object, if its member is unknown. */
export const knownPath = ({ fields = {} }: DescribedOperation, path: string): string | undefined => {
  const asked = describedPath(path);
  if (Object.hasOwn(fields, asked)) return asked;
  const parent = asked.includes('.') ? asked.slice(0, asked.lastIndexOf('.')) : '';
  return Object.hasOwn(fields, parent) ? parent : undefined;
};

const formsOf = (operation: DescribedOperation, path: string): readonly FieldForm[] => {
  const { bodies = [], fields = {} } = operation;
  return (fields[path] ?? []).map((facts) => ({
    facts,
    requests: (facts.bodies ?? []).flatMap((index) => bodies[index]?.request ?? []),
  }));
};

/**
 * Returns what the API description says about a field, header or parameter of an operation. For an unknown member, it
 * describes the object. Undefined if the description has nothing. `service`: the payment service of the call, if known.
 */
export const describeField = (
  operation: string,
  path: string,
  standard: StandardName,
  service?: PaymentService,
): DescribedField | undefined => {
  const parameters = parametersNamed(operation, path, standard);
  const [first] = parameters;
  if (first !== undefined)
    return {
      path: first.name,
      place: first.place,
      forms: parameters.map((facts) => ({ facts, requests: [] })),
    };
  const header = headerNamed(path);
  if (header !== undefined) return { path, place: 'header', forms: [{ facts: header, requests: [] }] };
  const described = describedOperation(operation, standard, service);
  const known = described && knownPath(described, path);
  if (described === undefined || known === undefined) return undefined;
  return { path: known, place: 'body', forms: formsOf(described, known) };
};
