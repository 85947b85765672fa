import type { OpenApiDocument } from '@xs2a/gateway/openapi/document';
import { type Parameter, resolve, type Schema } from './operations.js';

export type Need = 'required' | 'conditional' | 'optional';

/** The values that a field accepts: their type, their codes and their meaning. */
export interface Form {
  readonly type: string;
  /** The codes that the field accepts, if they are too many for `type`; otherwise empty. */
  readonly codes: readonly string[];
  readonly meaning: string;
}

/** A field of one body. */
export interface Field extends Form {
  /** Its path in the body, such as `debtorAccount.iban` or `payments[].creditorName`. */
  readonly path: string;
  readonly need: Need;
}

/** The deepest level of fields that is listed; no body is deeper, apart from references to itself. */
const deepest = 6;

/** The maximum number of codes that `type` lists; `codes` contains a longer list. */
const fewCodes = 8;

const bounds = (from: number | undefined, to: number | undefined, unit: string): string | undefined => {
  if (to === undefined) return from === undefined ? undefined : `at least ${from}${unit}`;
  if (from === undefined || from === to) return from === to ? `${to}${unit}` : `at most ${to}${unit}`;
  return `${from} to ${to}${unit}`;
};

/**
 * Returns the type of a schema in words, such as `string, 1 to 35 characters` or, for alternatives, `boolean or
 * string`.
 */
const typeText = (schema: Schema): string => {
  const { oneOf: alternatives, format, enum: values, items } = schema;
  const { type = [...new Set(alternatives?.map((one) => one.type ?? 'object') ?? ['object'])].join(' or ') } =
    schema;
  if (values !== undefined && values.length <= fewCodes)
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

/** Returns the type, the codes and the meaning of the values that a schema accepts. */
const formOf = (schema: Schema, meaning: string): Form => {
  const { enum: values = [] } = schema;
  return { type: typeText(schema), codes: values.length > fewCodes ? values.map(String) : [], meaning };
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
      ...formOf(
        item === undefined ? here : { ...here, items: item },
        inner.description ?? here.description ?? item?.description ?? '',
      ),
      path,
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

/** A field that occurs in one or more request bodies, as one row of the field list. */
export interface FieldRow {
  readonly path: string;
  /**
   * What the field accepts; several forms if that depends on the body. `bodies`: the indexes of the bodies with this
   * form, in ascending order.
   */
  readonly forms: readonly (Form & { readonly bodies: readonly number[] })[];
  /** The need of each body, in their order; undefined if the body does not have the field. */
  readonly needs: readonly (Need | undefined)[];
}

const formsOf = (fields: readonly (Field | undefined)[]): FieldRow['forms'] => {
  const forms = new Map<string, Form & { readonly bodies: readonly number[] }>();
  for (const [at, field] of fields.entries()) {
    if (field === undefined) continue;
    const { type, codes, meaning } = field;
    const key = JSON.stringify([type, codes, meaning]);
    forms.set(key, { type, codes, meaning, bodies: [...(forms.get(key)?.bodies ?? []), at] });
  }
  return [...forms.values()];
};

/** Merges the fields of several bodies into one list, in the order of the first body that has them. */
export const mergeFields = (bodies: readonly Body[]): readonly FieldRow[] => {
  const order: string[] = [];
  for (const { fields } of bodies) {
    let at = 0;
    for (const { path } of fields) {
      const known = order.indexOf(path);
      if (known < 0) order.splice(at, 0, path);
      at = (known < 0 ? at : known) + 1;
    }
  }
  return order.map((path) => {
    const inBodies = bodies.map(({ fields }) => fields.find((field) => field.path === path));
    return { path, forms: formsOf(inBodies), needs: inBodies.map((field) => field?.need) };
  });
};

/** Returns a parameter of an operation as a row of the field list. */
export const parameterRow = ({ name, schema, description, required }: Parameter): FieldRow => ({
  path: name,
  forms: [{ ...formOf(schema, description), bodies: [0] }],
  needs: [required ? 'required' : 'optional'],
});
