/** Turns the data of one version of an event type into that of the next. Pure; the stored event stays as it is. */
export type Upcast = (data: unknown) => unknown;

/** One row of a registry of event types. */
export interface EventType {
  /** What happened, in a sentence for operators and subscribers. */
  readonly meaning: string;
  /** From version 1 to 2, from 2 to 3, … */
  readonly upcasts: readonly Upcast[];
  /** The version that is written now: one more than there are upcasts. */
  readonly schemaVersion: number;
}
export type EventTypes<Type extends string = string> = Readonly<Record<Type, EventType>>;

/** A row of a registry. When the data of a type changes shape, add the upcast from the last shape; that is the new version. */
export const eventType = (meaning: string, ...upcasts: readonly Upcast[]): EventType => ({
  meaning,
  upcasts,
  schemaVersion: upcasts.length + 1,
});

/**
 * The data of a stored or published event in the shape of today.
 * @throws RangeError for a type that is not in the registry, or a version newer than it: a newer release wrote it.
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
  if (entry === undefined) throw new RangeError(`No event type is called ${type}.`);
  if (!Number.isInteger(schemaVersion) || schemaVersion < 1 || schemaVersion > entry.schemaVersion) {
    throw new RangeError(
      `${type} has no version ${schemaVersion}; the newest known is ${entry.schemaVersion}.`,
    );
  }
  return entry.upcasts.slice(schemaVersion - 1).reduce((shape, upcast) => upcast(shape), data);
};
