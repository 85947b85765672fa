/** The member under which the encrypted personal data of a value are stored. */
export const encryptedMember = 'personal';

/** The decision about a member: as a whole, or separately for each member of an object or of an array's objects. */
export type Field = 'plain' | 'personal' | { readonly [member: string]: Field };

declare const checked: unique symbol;
/** A field table that was compared with its type, as `fieldsOf` returns it. No other object has this type. */
export type Fields = { readonly [member: string]: Field } & { readonly [checked]: true };

/**
 * A value split into two parts of the same shape: `plain` without the personal data, and `personal` with only the
 * personal data. A part is absent if the value contains nothing of it.
 */
export interface Divided {
  readonly plain?: unknown;
  readonly personal?: unknown;
}

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Separates the personal data of a JSON value from the rest. Only what the table marks as plain is plain: a member
 * that it does not name is personal, and so is an object where the table expects a text or a number, or the reverse.
 * {@link joinPersonal} restores the value.
 */
export const dividePersonal = (value: unknown, field: Field | undefined): Divided => {
  if (field === undefined || field === 'personal') return { personal: value };
  if (value === null) return { plain: value };
  if (Array.isArray(value)) {
    const parts = value.map((element) => dividePersonal(element, field));
    // Each element keeps its index in the array, because the parts are joined by index.
    const plain = parts.map((part) => part.plain ?? null);
    return parts.some(({ personal }) => personal !== undefined)
      ? { plain, personal: parts.map(({ personal }) => personal ?? null) }
      : { plain };
  }
  if (field === 'plain') return isObject(value) ? { personal: value } : { plain: value };
  if (!isObject(value)) return { personal: value };
  const plain: Record<string, unknown> = {};
  const personal: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    // JSON omits undefined members.
    if (member === undefined) continue;
    const parts = dividePersonal(member, Object.hasOwn(field, name) ? field[name] : undefined);
    if (parts.plain !== undefined) plain[name] = parts.plain;
    if (parts.personal !== undefined) personal[name] = parts.personal;
  }
  return Object.keys(personal).length === 0 ? { plain } : { plain, personal };
};

/** The original value or, if `personal` is absent, only the plain part. */
export const joinPersonal = ({ plain, personal }: Divided): unknown => {
  if (personal === undefined || personal === null) return plain;
  if (Array.isArray(plain) && Array.isArray(personal))
    return plain.map((element: unknown, index) =>
      joinPersonal({ plain: element, personal: personal[index] as unknown }),
    );
  if (!isObject(plain) || !isObject(personal)) return personal;
  const joined: Record<string, unknown> = { ...plain };
  for (const [name, member] of Object.entries(personal))
    joined[name] = Object.hasOwn(plain, name)
      ? joinPersonal({ plain: plain[name], personal: member })
      : member;
  return joined;
};
