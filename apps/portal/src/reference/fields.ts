import type { OpenApiDocument } from '@xs2a/gateway/openapi/document';
import { resolve, type Schema } from './operations.js';

export type Need = 'required' | 'conditional' | 'optional';

/** A field of one body. */
export interface Field {
  /** Its path in the body, such as `debtorAccount.iban` or `payments[].creditorName`. */
  readonly path: string;
  readonly type: string;
  readonly meaning: string;
  readonly need: Need;
}

/** The deepest level of fields that is listed; no body is deeper, apart from references to itself. */
const deepest = 6;

const bounds = (from: number | undefined, to: number | undefined, unit: string): string | undefined => {
  if (to === undefined) return from === undefined ? undefined : `at least ${from}${unit}`;
  if (from === undefined || from === to) return from === to ? `${to}${unit}` : `at most ${to}${unit}`;
  return `${from} to ${to}${unit}`;
};

/** Returns the type of a schema in words: `string, 1 to 35 characters`. */
export const typeText = (schema: Schema): string => {
  const { type = 'object', format, enum: values, items } = schema;
  if (values !== undefined && values.length <= 8)
    return values.length === 1 ? `always ${String(values[0])}` : `one of ${values.join(', ')}`;
  if (type === 'array') {
    const range = bounds(schema.minItems, schema.maxItems, ' entries');
    return [
      'array',
      ...(items?.type === undefined || items.type === 'object' ? [] : [`of ${items.type}s`]),
      ...(range === undefined ? [] : [`(${range})`]),
    ].join(' ');
  }
  const range =
    bounds(schema.minLength, schema.maxLength, ' characters') ?? bounds(schema.minimum, schema.maximum, '');
  return [
    format ?? type,
    ...(values === undefined ? [] : [`one of ${values.length} codes`]),
    ...(range === undefined ? [] : [range]),
    ...(schema.default === undefined ? [] : [`default ${String(schema.default)}`]),
  ].join(', ');
};

const membersOf = (document: OpenApiDocument, schema: Schema): Schema => {
  const here = resolve(document, schema);
  const [first] = here.allOf ?? [];
  return first === undefined || here.properties !== undefined
    ? here
    : {
        ...membersOf(document, first),
        ...(here.description === undefined ? {} : { description: here.description }),
      };
};

/** Returns the fields of a body, each object before its members. */
export const listFields = (
  document: OpenApiDocument,
  schema: Schema,
  prefix = '',
  level = 0,
): readonly Field[] => {
  const { properties = {}, required = [] } = membersOf(document, schema);
  if (level > deepest) return [];
  return Object.entries(properties).flatMap(([name, inner]) => {
    const here = membersOf(document, inner);
    const path = `${prefix}${name}`;
    const item = here.items === undefined ? undefined : membersOf(document, here.items);
    const members =
      item === undefined
        ? listFields(document, here, `${path}.`, level + 1)
        : listFields(document, item, `${path}[].`, level + 1);
    const field: Field = {
      path,
      type: typeText(item === undefined ? here : { ...here, items: item }),
      meaning: inner.description ?? here.description ?? item?.description ?? '',
      need: required.includes(name) ? 'required' : 'optional',
    };
    return [field, ...members];
  });
};

/** A body that an operation accepts, by the name of its product; the name is empty if there is only one. */
export interface Body {
  readonly name: string;
  readonly fields: readonly Field[];
}

/** A field of several bodies: what each of them needs. */
export interface FieldRow extends Omit<Field, 'need'> {
  /** The need of each body, in their order; undefined if the body does not have the field. */
  readonly needs: readonly (Need | undefined)[];
}

/** Merges the fields of several bodies into one list, in the order of the first body that has them. */
export const mergeFields = (bodies: readonly Body[]): readonly FieldRow[] => {
  const rows = new Map<string, FieldRow>();
  const order: string[] = [];
  for (const { fields } of bodies) {
    let at = 0;
    for (const { path, type, meaning } of fields) {
      const known = order.indexOf(path);
      if (known >= 0) {
        at = known + 1;
        continue;
      }
      order.splice(at, 0, path);
      at += 1;
      const needs = bodies.map((body) => body.fields.find((field) => field.path === path)?.need);
      rows.set(path, { path, type, meaning, needs });
    }
  }
  return order.flatMap((path) => rows.get(path) ?? []);
};
