import { eventTypesOf, fieldsOf } from '@xs2a/events/field-tables';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { testHashKeys, testMasterKeys } from '@xs2a/runtime/testing/test-master-keys';
import type { Pool } from 'pg';
import type { PersonsView, ViewEnding } from '../custody-resource.js';
import { EventStore } from '@xs2a/event-store/streams/event-store';
import { sampleRefusals, silent } from '@xs2a/event-store/testing/sample-stream';

/** The data of an event in a person's stream. `note` is a PSU-ID, or an IBAN if it starts with BG. */
export interface Named {
  readonly type: 'named';
  readonly data: { readonly by: number; readonly note: string };
}
export interface NamedState {
  readonly total: number;
  readonly note: string;
}

const eventTypes = eventTypesOf<Named>({
  named: { meaning: 'A name was given.', fields: { by: 'plain', note: 'personal' } },
});
const folding = {
  evolve: (state: NamedState | undefined, { data }: Named): NamedState => ({
    total: (state?.total ?? 0) + data.by,
    note: data.note,
  }),
  stateVersion: 1,
  view: {
    table: 'sample_view',
    columns: { total: 'bigint' as const },
    row: ({ total }: NamedState) => ({ total }),
  },
  eventTypes,
};

/** A stream has ended once its total is 10 or more. */
export const personsView: PersonsView & ViewEnding = {
  table: 'sample_view',
  fields: fieldsOf<NamedState>({ total: 'plain', note: 'personal' }),
  persons: (state) => {
    const { note } = state as NamedState;
    return note.startsWith('BG')
      ? { psuIds: [], signers: [], ibans: [note] }
      : { psuIds: [note], signers: [note], ibans: [] };
  },
  folding: () => folding,
  columns: ['total'],
  isEnded: ({ total }) => Number(total) >= 10,
};

export const personsStore = (pool: Pool, clock = new Clock(true)): EventStore<Named, NamedState> =>
  new EventStore<Named, NamedState>({
    ...folding,
    pool,
    refusals: sampleRefusals,
    personalData: { masterKeys: testMasterKeys, ofState: personsView.fields },
    hashKeys: testHashKeys,
    clock,
    logger: silent,
  });

/** Starts a person's stream with this total. */
export const beginNamed = async (
  store: EventStore<Named, NamedState>,
  note: string,
  by = 10,
  streamId: string = newId(),
): Promise<string> => {
  await store.append({
    streamId,
    events: [{ type: 'named', data: { by, note } }],
    actor: 'tester',
    idempotencyRecord: {
      tppId: 'tpp',
      path: 'POST /payments',
      key: streamId,
      hash: '00',
      answer: { paymentId: streamId },
    },
  });
  return streamId;
};
