/** The member under which the encrypted personal data of a value are stored. */
export const encryptedMember = 'personal';

/**
 * The members of a value that are personal data: entire members, or parts of an object or of each element of an
 * array.
 */
export interface PersonalMembers {
  readonly [member: string]: true | PersonalMembers;
}

/**
 * A value split into two parts of the same shape: `plain` without the personal data, and `personal` with only the
 * personal data. `personal` is absent if the value contains none.
 */
export interface Divided {
  readonly plain: unknown;
  readonly personal?: unknown;
}

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Removes the personal data from a JSON value. {@link joinPersonal} restores it. */
export const dividePersonal = (value: unknown, members: PersonalMembers): Divided => {
  if (Array.isArray(value)) {
    const parts = value.map((element) => dividePersonal(element, members));
    const plain = parts.map((part) => part.plain);
    // Each element keeps its index in the array, because the parts are joined by index.
    return parts.some(({ personal }) => personal !== undefined)
      ? { plain, personal: parts.map(({ personal }) => personal ?? null) }
      : { plain };
  }
  if (!isObject(value)) return { plain: value };
  const plain: Record<string, unknown> = {};
  const personal: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const isPersonal = Object.hasOwn(members, name) ? members[name] : undefined;
    if (isPersonal === undefined || member === undefined) plain[name] = member;
    else if (isPersonal === true) personal[name] = member;
    else {
      const parts = dividePersonal(member, isPersonal);
      plain[name] = parts.plain;
      if (parts.personal !== undefined) personal[name] = parts.personal;
    }
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
