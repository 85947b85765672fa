import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import type { StandardName } from '@xs2a/domain/payment/standards/standard-name';
import euro from './generated/euro-requests.json' with { type: 'json' };
import lev from './generated/requests.json' with { type: 'json' };

/** What the API description says about a member of a body, a header or a parameter. */
export interface FieldFacts {
  readonly required?: boolean;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** The values of an enumeration. If it has more than {@link maxValues}, only their number is known. */
  readonly values?: readonly (string | number | boolean)[];
  readonly valuesCount?: number;
  /** The members of an object; optional ones end in `?`. */
  readonly members?: readonly string[];
  /** A valid value, unless every example of a body has one. */
  readonly sample?: unknown;
  /** Its siblings with which it cannot be sent. */
  readonly insteadOf?: readonly string[];
  /** Its siblings without which it cannot be sent. */
  readonly together?: Readonly<Record<string, unknown>>;
  /** The bodies that have the field in this form, by position; absent: all. */
  readonly bodies?: readonly number[];
}

/** The greatest number of an enumeration's values that are listed. */
export const maxValues = 12;

export interface DescribedParameter extends FieldFacts {
  readonly name: string;
  readonly place: 'header' | 'query' | 'path';
  /** The operations that have it in this form. */
  readonly operations: readonly string[];
}

/** A body that an operation accepts. */
export interface DescribedBody {
  /** The method and path to which it is sent. */
  readonly request: string;
  readonly example: unknown;
}

export interface DescribedOperation {
  /** Its method and path; the first one, if it has one for each payment service. */
  readonly request: string;
  /** The grant and scope of its access token; absent if it needs none. */
  readonly token?: { readonly grant: string; readonly scope?: string };
  readonly bodies?: readonly DescribedBody[];
  /** The members of its bodies, by path; an element of an array is `[]`. The empty path is the body itself. */
  readonly fields?: Readonly<Record<string, readonly FieldFacts[]>>;
}

/**
 * What `generated/requests.json` and `generated/euro-requests.json` contain; `npm run refusals` writes them from the OpenAPI
 * documents of the profiles `sandbox` and `bg-euro`.
 */
export interface DescribedRequests {
  /** The day to which the dates of the examples belong. */
  readonly exampleDay: string;
  readonly operations: Readonly<Record<string, DescribedOperation>>;
  readonly parameters: readonly DescribedParameter[];
}

/** By the standard for payments of the bank. */
export const describedRequests = { lev, euro } as unknown as Readonly<
  Record<StandardName, DescribedRequests>
>;

/**
 * Returns what the API description says about an operation; undefined if this release has no such operation. With
 * `service`, the returned method and path are those of this payment service, and only its request bodies are returned.
 */
export const describedOperation = (
  operation: string,
  standard: StandardName,
  service?: PaymentService,
): DescribedOperation | undefined => {
  const { operations } = describedRequests[standard];
  const described = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
  return service === undefined || described === undefined ? described : ofService(described, service);
};

const ofService = (described: DescribedOperation, service: PaymentService): DescribedOperation => ({
  ...withBodies(described, ({ request }) => request.includes(` /v1/${service}/`)),
  request: described.request.replace(' /v1/payments/', ` /v1/${service}/`),
});

/** Returns the operation with some of its bodies and their fields only; unchanged if it has none of them. */
export const withBodies = (
  described: DescribedOperation,
  isKept: (body: DescribedBody) => boolean,
): DescribedOperation => {
  const { bodies = [] } = described;
  const places = bodies.flatMap((body, index) => (isKept(body) ? [index] : []));
  if (places.length === 0) return described;
  const keptFacts = (facts: FieldFacts): readonly FieldFacts[] => {
    if (facts.bodies === undefined) return [facts];
    const kept = facts.bodies.filter((index) => places.includes(index)).map((index) => places.indexOf(index));
    return kept.length === 0 ? [] : [{ ...facts, bodies: kept }];
  };
  const fields = Object.entries(described.fields ?? {}).flatMap(([path, facts]) => {
    const kept = facts.flatMap(keptFacts);
    return kept.length === 0 ? [] : [[path, kept] as const];
  });
  return {
    ...described,
    bodies: bodies.filter((_body, index) => places.includes(index)),
    fields: Object.fromEntries(fields),
  };
};

/** Returns the products of a payment service, as they are in its path. */
export const productsIn = (service: PaymentService, standard: StandardName): readonly string[] =>
  (describedOperation('initiatePayment', standard, service)?.bodies ?? []).flatMap(
    ({ request }) => request.split('/').at(-1) ?? [],
  );
