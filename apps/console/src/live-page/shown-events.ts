import type { LoggedEvent, LogPage } from '@xs2a/contracts/timeline.contract';
import type { NameOf } from '../tpps/tpp-names.js';

/** An event as Live shows it: who caused it, and the name of its TPP. */
export interface ShownEvent extends Omit<LoggedEvent, 'actor'> {
  /** `TPP` if the TPP of the resource caused the event. */
  readonly by: string;
  /** Empty if the resource is no longer stored. */
  readonly tppName: string;
}
export type ShownPage = Omit<LogPage, 'events'> & { readonly events: readonly ShownEvent[] };

/** Adds what Live shows of each event. A client id is too long for a column, and says less than a name. */
export const toShown = (page: LogPage, nameOf: NameOf): ShownPage => ({
  ...page,
  events: page.events.map(({ actor, ...event }) => ({
    ...event,
    by: actor === event.tppId ? 'TPP' : actor,
    tppName: event.tppId === null ? '' : nameOf(event.tppId),
  })),
});
