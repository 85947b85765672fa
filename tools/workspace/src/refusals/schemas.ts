/** A schema of the OpenAPI document. */
export type Schema = Readonly<Record<string, unknown>>;
export type Schemas = Readonly<Record<string, Schema>>;

/** Follows a reference to a schema of the document. */
export const resolve = (schema: Schema, schemas: Schemas): Schema => {
  const { $ref, ...own } = schema;
  if (typeof $ref !== 'string') return schema;
  const found = schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`no schema ${$ref}`);
  return { ...found, ...own };
};
