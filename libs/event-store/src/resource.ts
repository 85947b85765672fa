import type { EventTypes } from '@xs2a/events/event-types';
import type { Fields } from '@xs2a/events/personal-members';
import type { Folding } from './projections/inline-view-rebuild.js';

/** A status view, described so that checks and tools can use it without loading its service. */
export interface StatusView {
  readonly table: string;
  /** Which members of the view's states are personal data. */
  readonly fields: Fields;
  /**
   * Returns the functions that fold events into the view's states; the mapping of states to the view's columns is not
   * included. `timeZone` is the bank's time zone.
   */
  folding(timeZone: string): Folding['folding'];
}

/**
 * All that the engine knows of the streams in one schema. The service that owns the streams hands it in, and tools
 * read it without loading the service.
 */
export interface Resource {
  /** The name of the schema, of the published stream (in upper case) and in subjects. */
  readonly name: string;
  /**
   * Each view shows the streams that begin with the view's own event types. One view is enough if all streams are
   * of the same kind.
   */
  readonly views: readonly StatusView[];
  readonly types: EventTypes;
  /**
   * Returns the status of a stream after each of its events, given the events' types. The status is undefined from
   * the first event for which the lifecycle has no transition.
   */
  statusesAfter(types: readonly string[]): readonly (string | undefined)[];
  /** True if a lost event of this type may have ended something that the database considers open. */
  holds(type: string): boolean;
  /**
   * True if an event of this type ends one part of the stream rather than the whole. Such an event is meaningful
   * only after the event before it.
   */
  endsPart(type: string): boolean;
}
