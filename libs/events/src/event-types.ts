import type { Fields } from './personal-members.js';

/** Converts the data of one version of an event type to the next version. Pure; the stored event does not change. */
export type Upcast = (data: unknown) => unknown;

/** One row in the registry of event types. */
export interface EventType {
  /** A sentence that describes the event to operators and subscribers. */
  readonly meaning: string;
  /** The upcasts from version 1 to 2, from 2 to 3, and so on. */
  readonly upcasts: readonly Upcast[];
  /** The version in which events are currently written: the newest one, unless the type is {@link notYetWritten}. */
  readonly schemaVersion: number;
  /**
   * Which members of the data are plain. All others are stored and published encrypted; without a table, all are.
   */
  readonly fields?: Fields;
}
export type EventTypes<Type extends string = string> = Readonly<Record<Type, EventType>>;

/**
 * Creates a row in the registry. When the data of a type changes shape, add an upcast from the previous shape;
 * this creates the new version.
 */
export const eventType = (meaning: string, ...upcasts: readonly Upcast[]): EventType => ({
  meaning,
  upcasts,
  schemaVersion: upcasts.length + 1,
});

/**
 * The event type during the first of the two releases that change its shape: it reads the newest version and
 * writes the previous one (docs/how-to/change-an-event.md).
 */
export const notYetWritten = (type: EventType): EventType => ({
  ...type,
  schemaVersion: type.schemaVersion - 1,
});

/** Thrown for an unknown event type or version, which only a newer release can have written. */
export class NewerEvent extends Error {
  override readonly name = 'NewerEvent';

  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message);
  }
}

export const unknownType = (type: string): NewerEvent =>
  new NewerEvent(type, `No event type is called ${type}; a newer release wrote it.`);

/**
 * The data of a stored or published event in the current shape.
 * @throws NewerEvent for a type or version that is not in the registry; RangeError for an invalid version.
 */
export const upcastData = (
  types: EventTypes,
  {
    type,
    schemaVersion,
    data,
  }: { readonly type: string; readonly schemaVersion: number; readonly data: unknown },
): unknown => {
  const entry = Object.hasOwn(types, type) ? types[type] : undefined;
  if (entry === undefined) throw unknownType(type);
  const newest = entry.upcasts.length + 1;
  const text = `${type} has no version ${schemaVersion}; the newest known is ${newest}.`;
  if (!Number.isInteger(schemaVersion) || schemaVersion < 1) throw new RangeError(text);
  if (schemaVersion > newest) throw new NewerEvent(type, text);
  return entry.upcasts.slice(schemaVersion - 1).reduce((shape, upcast) => upcast(shape), data);
};
