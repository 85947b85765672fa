import { eventType } from '@xs2a/events/event-types';
import type { Logger } from '@xs2a/observability/logger';
import type { HashKeys } from '@xs2a/postgres/hash-keys';
import type { Clock } from '@xs2a/runtime/clock';
import type { Pool } from 'pg';
import { EventStore } from '../streams/event-store.js';

/** The example of the README. `example.int.spec.ts` runs it and compares it with the README. */
export const runExample = async (
  streamId: string,
  given: { readonly pool: Pool; readonly clock: Clock; readonly logger: Logger; readonly hashKeys: HashKeys },
  seen: () => void,
) => {
  // README
  type Counted = { readonly type: 'counted'; readonly data: { readonly by: number } };
  const counters = new EventStore<Counted, { readonly total: number }>({
    ...given,
    evolve: (state, { data }) => ({ total: (state?.total ?? 0) + data.by }),
    stateVersion: 1,
    eventTypes: { counted: eventType('A number was counted.') },
    view: { table: 'sample_view', columns: { total: 'bigint' }, row: ({ total }) => ({ total }) },
    refusals: { unknownStream: 'unknown', notNow: 'try again', toError: (text) => new Error(text) },
  });
  counters.onAppended(seen);
  const got: Counted = { type: 'counted', data: { by: 5 } };
  const outcome = await counters.append({ streamId, events: [got], actor: 'tester' });
  if (outcome !== 'appended') throw new Error('somebody else began the stream');
  const spent: Counted = { type: 'counted', data: { by: -3 } };
  const { total } = await counters.change(
    streamId,
    (state) => (state.total < 3 ? { refused: 'too low' } : { events: [spent] }),
    { actor: 'tester' },
  );
  // end
  return { total, counters };
};
