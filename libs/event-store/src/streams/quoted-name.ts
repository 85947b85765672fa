/** A name of ours (schema, role, table, column) as SQL takes it. */
export const quotedName = (name: string): string => {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error('a name in SQL has only a-z, 0-9 and _');
  return `"${name}"`;
};
