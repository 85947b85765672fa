/** Quotes an internal name (schema, role, table, column) for SQL. */
export const quotedName = (name: string): string => {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error('an SQL name may contain only a-z, 0-9 and _');
  return `"${name}"`;
};
