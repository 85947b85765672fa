/** Replaces another person's PSU-ID in an export. */
export const anotherPerson = '(another person)';

const psuMembers: ReadonlySet<string> = new Set(['psuId', 'namedPsuId']);
/** Members that belong to the PSU whose id is in the same object. */
const ofThatPsu: ReadonlySet<string> = new Set(['redirectUris', 'chosenIbans', 'notification']);

/**
 * Replaces the ids of other PSUs in a value with a marker, and omits members that belong to them. Everything else
 * stays, including the other party of a payment, since that party is part of a payment made by the requested
 * person.
 */
export const withoutOthers = (value: unknown, psuIds: readonly string[]): unknown => {
  if (Array.isArray(value)) return value.map((one: unknown) => withoutOthers(one, psuIds));
  if (typeof value !== 'object' || value === null) return value;
  const isOther = (name: string, member: unknown): boolean =>
    psuMembers.has(name) && typeof member === 'string' && !psuIds.includes(member);
  const members = Object.entries(value);
  const isOfAnother = members.some(([name, member]) => isOther(name, member));
  return Object.fromEntries(
    members.flatMap(([name, member]): [string, unknown][] => {
      if (isOther(name, member)) return [[name, anotherPerson]];
      return isOfAnother && ofThatPsu.has(name) ? [] : [[name, withoutOthers(member, psuIds)]];
    }),
  );
};
