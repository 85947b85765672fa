/** One of our names (schema, role, table, column), quoted for SQL. */
export const quotedName = (name: string): string => {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error('a name in SQL has only a-z, 0-9 and _');
  return `"${name}"`;
};
