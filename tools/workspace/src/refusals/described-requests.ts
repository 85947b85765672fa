import { makeProfile } from '@xs2a/domain/testing/profiles';
import type { StandardName } from '@xs2a/domain/payment/standards/standard-name';
import { type OpenApiDocument, openApiDocument } from '@xs2a/gateway/openapi/document';
import { exampleDay } from '@xs2a/gateway/openapi/examples';
import type {
  DescribedBody,
  DescribedOperation,
  DescribedParameter,
  DescribedRequests,
  FieldFacts,
} from '@xs2a/refusals/described-requests';
import { endpointIds, endpointRules } from '@xs2a/gateway/endpoint-rules';
import { withoutEffect } from '@xs2a/gateway/openapi/operations/standard-headers';
import { factsOf, walk } from './field-facts.js';
import { sampleOf } from './samples.js';
import { resolve, type Schema, type Schemas } from './schemas.js';

const services = ['payments', 'periodic-payments', 'bulk-payments'];

/** The document of a sandbox that offers everything, or everything but the verification of payees. */
export const exampleDocument = (
  standard: StandardName,
  payeeVerification: 'page' | 'off' = 'page',
): OpenApiDocument =>
  openApiDocument({
    baseUrl: 'https://bank.example',
    pagesUrl: 'https://bank.example',
    sandbox: true,
    profile: { ...makeProfile(standard === 'lev' ? 'sandbox' : 'bg-euro'), payeeVerification },
  });

/** An operation of the document; an endpoint has one for each payment service. */
interface Found {
  readonly id: string;
  readonly request: string;
  readonly described: Schema;
}

const listFound = ({ paths }: OpenApiDocument): readonly Found[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, described]): Found[] => {
      const inner = path.replace(/^\/v1/, '');
      const general = services.reduce(
        (text, service) => text.replace(new RegExp(`^/${service}(?=/)`), '/{payment-service}'),
        inner,
      );
      const id = endpointIds.find((one) => {
        const rule = endpointRules[one];
        return rule.method.toLowerCase() === method && rule.path === general;
      });
      if (id === undefined) return [];
      return [{ id, request: `${method.toUpperCase()} ${path}`, described }];
    }),
  );

interface Body extends DescribedBody {
  readonly schema: Schema;
}

const bodiesOf = ({ request, described }: Found): readonly Body[] => {
  const { requestBody } = described as {
    readonly requestBody?: { readonly content: Readonly<Record<string, Schema>> };
  };
  const content = requestBody?.content['application/json'];
  if (content === undefined) return [];
  const schema = content['schema'] as Schema;
  const { examples } = content as {
    readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  };
  // An endpoint with one body for all its products has one product.
  if (examples === undefined)
    return [
      { request: request.replace('{payment-product}', 'domestic'), example: content['example'], schema },
    ];
  const schemas = (schema['anyOf'] ?? [schema]) as readonly Schema[];
  return Object.entries(examples).map(([product, { value }], index) => ({
    request: request.replace('{payment-product}', product),
    example: value,
    schema: schemas[index] ?? schema,
  }));
};

/** Puts equal facts of several bodies together. */
const fieldsOf = (
  bodies: readonly Body[],
  schemas: Schemas,
): Readonly<Record<string, readonly FieldFacts[]>> => {
  const found = new Map<string, Map<string, number[]>>();
  for (const [index, { schema }] of bodies.entries())
    walk(schema, schemas, (path, facts) => {
      const forms = found.get(path) ?? new Map<string, number[]>();
      const text = JSON.stringify(facts);
      forms.set(text, [...(forms.get(text) ?? []), index]);
      found.set(path, forms);
    });
  return Object.fromEntries(
    [...found].map(([path, forms]) => [
      path,
      [...forms].map(([text, indexes]) => ({
        ...(JSON.parse(text) as FieldFacts),
        ...(indexes.length === bodies.length ? {} : { bodies: indexes }),
      })),
    ]),
  );
};

const tokenOf = ({ described }: Found): DescribedOperation['token'] => {
  const [first] = (described['security'] ?? []) as readonly Readonly<Record<string, readonly string[]>>[];
  const [[grant, scopes] = []] = Object.entries(first ?? {});
  return grant === undefined ? undefined : { grant, scope: scopes?.[0] };
};

const describeOperation = (found: readonly Found[], schemas: Schemas): DescribedOperation | undefined => {
  const [first] = found;
  if (first === undefined) return undefined;
  const bodies = found.flatMap(bodiesOf);
  return {
    request: first.request,
    token: tokenOf(first),
    ...(bodies.length === 0
      ? {}
      : {
          bodies: bodies.map(({ request, example }) => ({ request, example })),
          fields: fieldsOf(bodies, schemas),
        }),
  };
};

interface Parameter {
  readonly name: string;
  readonly in: DescribedParameter['place'];
  readonly required: boolean;
  readonly schema: Schema;
  readonly description: string;
}

/** Puts equal parameters of several operations together. */
const parametersOf = (found: readonly Found[], schemas: Schemas): readonly DescribedParameter[] => {
  const forms = new Map<string, Set<string>>();
  for (const { id, described } of found)
    for (const parameter of described['parameters'] as readonly Schema[]) {
      const { name, in: place, required, schema, description } = parameter as unknown as Parameter;
      if (description.endsWith(withoutEffect)) continue;
      const own = resolve(schema, schemas);
      const facts = factsOf({ ...own, description });
      const text = JSON.stringify({
        name,
        place,
        ...(required === true ? { required } : {}),
        ...facts,
        sample: sampleOf(own, name, schemas),
      });
      forms.set(text, (forms.get(text) ?? new Set()).add(id));
    }
  return [...forms].map(([text, operations]) => ({
    ...(JSON.parse(text) as Omit<DescribedParameter, 'operations'>),
    operations: [...operations],
  }));
};

const describeDocument = (document: OpenApiDocument): DescribedRequests => {
  const found = listFound(document);
  const { schemas } = document.components;
  return {
    exampleDay,
    operations: Object.fromEntries(
      [...Map.groupBy(found, ({ id }) => id)].map(([id, own]) => [id, describeOperation(own, schemas)]),
    ) as DescribedRequests['operations'],
    parameters: parametersOf(found, schemas),
  };
};

/**
 * Returns the content of libs/refusals/src/generated/requests.json, or of euro-requests.json. Of a bank in leva, which
 * verifies no payees, only the operation for that is described as at a bank that does.
 */
export const describeRequests = (standard: StandardName): DescribedRequests => {
  const everything = describeDocument(exampleDocument(standard));
  if (standard === 'euro') return everything;
  const { operations, parameters } = describeDocument(exampleDocument(standard, 'off'));
  const further = everything.parameters.flatMap((parameter) => {
    const missing = parameter.operations.filter((id) => !(id in operations));
    return missing.length === 0 ? [] : [{ ...parameter, operations: missing }];
  });
  return {
    ...everything,
    operations: { ...everything.operations, ...operations },
    parameters: [...parameters, ...further],
  };
};
