/** An event of a stream with its two numbers: its sequence in the stream and its position in the log. */
export interface StreamEvent {
  readonly sequence: number;
  readonly pos: number;
  readonly id: string;
}

/**
 * Finds the first event at or after a position. `at` reads the first event at or after a sequence. Positions
 * increase with sequences, but not in equal steps: a stream may have been filled from the middle of the log, and
 * the log may have gaps. Tries the sequence calculated from the last event first, then does a binary search.
 */
export const findPosition = async (
  pos: number,
  { first, last }: { readonly first: number; readonly last: StreamEvent },
  at: (sequence: number) => Promise<StreamEvent | undefined>,
): Promise<StreamEvent | undefined> => {
  let [from, to] = [first, last.sequence + 1];
  let found: StreamEvent | undefined;
  let guess = Math.min(Math.max(pos - last.pos + last.sequence, from), last.sequence);
  while (from < to) {
    const event = await at(guess);
    if (event?.pos === pos) return event;
    if (event !== undefined && event.pos < pos) from = event.sequence + 1;
    else [found, to] = [event ?? found, guess];
    guess = Math.floor((from + to) / 2);
  }
  return found;
};
