/** The events of a payment or a consent. */
export interface Stream<Event> {
  readonly id: string;
  readonly tppId: string;
  readonly events: readonly Event[];
}

interface Store<Event> {
  append(change: {
    readonly streamId: string;
    readonly events: readonly Event[];
    readonly actor: string;
  }): Promise<unknown>;
}

const atOnce = 500;

export const appendStreams = async <Event>(
  store: Store<Event>,
  streams: readonly Stream<Event>[],
): Promise<void> => {
  const outcomes = await Promise.all(
    streams.map(async ({ id, tppId, events }) => store.append({ streamId: id, events, actor: tppId })),
  );
  if (outcomes.some((outcome) => outcome !== 'appended')) throw new Error('a stream was not appended');
};

/** Creates and appends the given number of streams, 500 at a time. Returns their ids. */
export const appendMany = async <Event>(
  store: Store<Event>,
  count: number,
  makeStream: (number: number) => Stream<Event>,
): Promise<readonly string[]> => {
  const ids: string[] = [];
  while (ids.length < count) {
    const streams = Array.from({ length: Math.min(atOnce, count - ids.length) }, (_none, index) =>
      makeStream(ids.length + index),
    );
    await appendStreams(store, streams);
    ids.push(...streams.map(({ id }) => id));
  }
  return ids;
};
