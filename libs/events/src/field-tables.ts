import { eventType, type EventTypes, notYetWritten, type Upcast } from './event-types.js';
import type { Fields } from './personal-members.js';

/** The members of a type; of a union, those of all its variants. */
type KeyOf<Data> = Data extends unknown ? keyof Data : never;
type MemberOf<Data, Key> = Data extends unknown ? (Key extends keyof Data ? Data[Key] : never) : never;
type ElementOf<Value> = Value extends readonly (infer Element)[] ? Element : Value;

/**
 * The decision about one member. An object, or the elements of an array of objects, is personal as a whole or decided
 * member by member, so that a member that is added to it later is not plain by default.
 */
type FieldOf<Value> = Decided<ElementOf<NonNullable<Value>>>;
/** A value of unknown members, or one that is an object in some cases only, can only be personal as a whole. */
type Decided<Value> = [Value] extends [object]
  ? 'personal' | (IsOpen<Value> extends true ? never : FieldTable<Value>)
  : [Extract<Value, object>] extends [never]
    ? 'personal' | (unknown extends Value ? never : 'plain')
    : 'personal';
type IsOpen<Value> = string extends KeyOf<Value> ? true : [KeyOf<Value>] extends [never] ? true : false;

/**
 * Decides for each member of an event's data or of a state whether it is personal data, which is stored and
 * published only encrypted, or plain. A member that is missing here does not compile.
 */
export type FieldTable<Data> = {
  readonly [Key in KeyOf<Data>]-?: FieldOf<MemberOf<Data, Key>>;
};

/**
 * The table as the engine uses it. It also decides at run time: a member that the compiler never saw, for example one
 * from an untyped spread, is encrypted.
 */
export const fieldsOf = <Data = never>(table: [Data] extends [never] ? never : FieldTable<Data>): Fields =>
  table as unknown as Fields;

interface Row<Data> {
  /** A sentence that describes the event to operators and subscribers. */
  readonly meaning: string;
  readonly fields: FieldTable<Data>;
  /** The upcasts from version 1 to 2, from 2 to 3, and so on. */
  readonly upcasts?: readonly Upcast[];
  /** See {@link notYetWritten}. */
  readonly isNotYetWritten?: boolean;
}
type DataOf<Event, Type> = Event extends { readonly type: Type; readonly data: infer Data } ? Data : never;

/** Creates a registry of event types from one row for each type of event. */
export const eventTypesOf = <Event extends { readonly type: string; readonly data: unknown }>(rows: {
  readonly [Type in Event['type']]: Row<DataOf<Event, Type>>;
}): EventTypes<Event['type']> =>
  Object.fromEntries(
    Object.entries<Row<unknown>>(rows).map(
      ([type, { meaning, fields, upcasts = [], isNotYetWritten = false }]) => {
        const newest = { ...eventType(meaning, ...upcasts), fields: fieldsOf<unknown>(fields) };
        return [type, isNotYetWritten ? notYetWritten(newest) : newest];
      },
    ),
  ) as EventTypes<Event['type']>;
