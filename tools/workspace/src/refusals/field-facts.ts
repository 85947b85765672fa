import { type FieldFacts, maxValues } from '@xs2a/refusals/described-requests';
import { sampleOf, togetherWith } from './samples.js';
import { resolve, type Schema, type Schemas } from './schemas.js';

/** Longer patterns, such as those of all IBANs, say less than the description. */
const maxPattern = 120;
const maxDescription = 240;

const propertiesOf = ({ properties }: Schema): readonly (readonly [string, Schema])[] =>
  Object.entries((properties ?? {}) as Schemas);
const requiredOf = ({ required }: Schema): readonly string[] => (required ?? []) as readonly string[];

const cut = (text: unknown): string | undefined => {
  if (typeof text !== 'string') return undefined;
  return text.length <= maxDescription ? text : `${text.slice(0, maxDescription).replace(/\s\S*$/, '')} …`;
};

const typeOf = ({ type, oneOf }: Schema): string | undefined => {
  if (typeof type === 'string') return type;
  return Array.isArray(oneOf)
    ? [...new Set(oneOf.map((one: Schema) => one['type']))].join(' or ')
    : undefined;
};

/** Pairs of members that exclude each other: `not: {required: [a, b]}`, also within `anyOf`. */
const exclusivePairs = ({ not }: Schema): readonly (readonly string[])[] => {
  const excluded = (not ?? {}) as Schema;
  const anyOf = (excluded['anyOf'] ?? [excluded]) as readonly Schema[];
  return anyOf
    .filter((one) => one['properties'] === undefined)
    .map(requiredOf)
    .filter(({ length }) => length === 2);
};

const members = (schema: Schema): readonly string[] | undefined => {
  const all = propertiesOf(schema);
  const required = new Set(requiredOf(schema));
  return all.length === 0 ? undefined : all.map(([name]) => (required.has(name) ? name : `${name}?`));
};

/** What a schema says, without what belongs to its parent. */
export const factsOf = (schema: Schema): FieldFacts => {
  const {
    enum: values,
    pattern,
    format,
    minLength,
    maxLength,
    minimum,
    maximum,
    minItems,
    maxItems,
  } = schema as Record<string, never>;
  const listed = values as FieldFacts['values'];
  const isShort = listed !== undefined && listed.length <= maxValues;
  return {
    description: cut(schema['description']),
    type: typeOf(schema),
    format,
    pattern: typeof pattern === 'string' && (pattern as string).length <= maxPattern ? pattern : undefined,
    minLength,
    maxLength,
    minimum,
    maximum: maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum,
    minItems,
    maxItems,
    ...(isShort ? { values: listed } : { valuesCount: listed?.length }),
    members: members(schema),
  };
};

/** Calls `visit` for a body and each member in it. */
export const walk = (
  schema: Schema,
  schemas: Schemas,
  visit: (path: string, facts: FieldFacts) => void,
): void => {
  const at = (given: Schema, path: string, more: FieldFacts): void => {
    const here = resolve(given, schemas);
    visit(path, {
      ...more,
      ...factsOf(here),
      sample: sampleOf(here, path, schemas),
      together: togetherWith[path],
    });
    if (here['items'] !== undefined) at(here['items'] as Schema, `${path}[]`, {});
    const required = requiredOf(here);
    const pairs = exclusivePairs(here);
    for (const [name, inner] of propertiesOf(here)) {
      const insteadOf = pairs.flatMap((pair) =>
        pair.includes(name) ? pair.filter((one) => one !== name) : [],
      );
      at(inner, path === '' ? name : `${path}.${name}`, {
        ...(required.includes(name) ? { required: true } : {}),
        ...(insteadOf.length > 0 ? { insteadOf } : {}),
      });
    }
  };
  at(schema, '', {});
};
