import type { Field, Fields } from '@xs2a/events/personal-members';

/** A field that an operator may have revealed. */
export interface RevealableField<State> {
  /** The members of the state that contain it, such as `order.creditorName`. */
  readonly members: readonly string[];
  /** Returns its values; several if, for example, several PSUs signed. `entry` is the number of a bulk payment's entry, from 1. */
  readonly read: (state: State, entry: number) => readonly (string | undefined)[];
}

const isEncrypted = (fields: Field | undefined, member: string): boolean => {
  let field = fields;
  for (const name of member.split('.')) {
    if (field === undefined || typeof field === 'string') break;
    field = Object.hasOwn(field, name) ? field[name] : undefined;
  }
  return field === 'personal';
};

/**
 * Returns the fields whose members the field table encrypts. Throws for another one, because a field that is not encrypted needs
 * no record to be read.
 */
export const revealable = <State, Name extends string>(
  table: Fields,
  fields: Readonly<Record<Name, RevealableField<State>>>,
): ReadonlyMap<string, RevealableField<State>> => {
  const entries = Object.entries<RevealableField<State>>(fields);
  for (const [name, { members }] of entries)
    if (!members.every((member) => isEncrypted(table, member)))
      throw new TypeError(`${name} is not encrypted by its field table`);
  return new Map(entries);
};

/** The distinct values that are stored. */
export const storedValues = (values: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(values.filter((value): value is string => value !== undefined && value !== '')),
];
