type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A proxy that records which fields of the object and its nested objects are read. */
const observe = (target: object, reads: Map<object, Set<string>>): object =>
  new Proxy(target, {
    get: (_, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (typeof name === 'symbol') return value;
      reads.set(target, (reads.get(target) ?? new Set()).add(name));
      return isObject(value) ? observe(value, reads) : value;
    },
  });

const listUnread = (value: object, reads: Map<object, Set<string>>, path: string): string[] => {
  const read = reads.get(value);
  // The schema does not describe the nested fields.
  if (read === undefined) return [];
  return Object.entries(value as Fields).flatMap(([name, inner]) => {
    const place = `${path}/${name}`;
    if (!read.has(name)) return [`${place} is not a field of the schema`];
    return isObject(inner) ? listUnread(inner, reads, place) : [];
  });
};

/**
 * Returns the fields of an object that its validator ignores. Validators of custom resources skip unknown fields,
 * so a misspelled field would be accepted; therefore a field that is never read counts as unknown. An object of
 * which no field is read may contain anything.
 */
export const listUnknownFields = (object: object, validate: (observed: object) => void): string[] => {
  const reads = new Map<object, Set<string>>();
  validate(observe(object, reads));
  return listUnread(object, reads, '');
};
