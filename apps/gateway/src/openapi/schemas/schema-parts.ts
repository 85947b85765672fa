import { textPattern } from './patterns.js';

/** A schema, limited to the part of JSON Schema that OpenAPI 3.0 supports. */
export type Schema = Readonly<Record<string, unknown>>;

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** A text that the bank returns. */
export const text = (description: string, maxLength?: number): Schema => ({
  type: 'string',
  description,
  ...(maxLength === undefined ? {} : { minLength: 1, maxLength }),
});
/** A text that a client sends: not blank, and without characters that hide or reorder displayed text. */
export const sentText = (description: string, maxLength: number): Schema => ({
  type: 'string',
  description,
  minLength: 1,
  maxLength,
  pattern: textPattern,
});
export const matching = (description: string, pattern: string): Schema => ({
  type: 'string',
  description,
  pattern,
});
export const oneOf = (description: string, ...values: readonly string[]): Schema => ({
  type: 'string',
  description,
  enum: values,
});
export const date = (description: string): Schema => ({ type: 'string', format: 'date', description });
export const uuid = (description: string): Schema => ({ type: 'string', format: 'uuid', description });
export const flag = (description: string): Schema => ({ type: 'boolean', description });
export const count = (description: string, minimum: number, maximum: number): Schema => ({
  type: 'integer',
  minimum,
  maximum,
  description,
});
export const listOf = (items: Schema, description?: string): Schema => ({
  type: 'array',
  items,
  ...(description === undefined ? {} : { description }),
});
/** A list of distinct items that a client sends. */
export const setOf = (items: Schema, maxItems: number, description?: string): Schema => ({
  ...listOf(items, description),
  minItems: 1,
  maxItems,
  uniqueItems: true,
});
/** An object with exactly these members. Members whose name ends in `?` are optional. */
export const object = (members: Readonly<Record<string, Schema>>, description?: string): Schema => {
  const names = Object.keys(members);
  const required = names.filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      Object.entries(members).map(([name, schema]) => [name.replace('?', ''), schema]),
    ),
    additionalProperties: false,
  };
};
export const links = (...names: readonly string[]): Schema =>
  object(Object.fromEntries(names.map((name) => [name, ref('Link')])));
