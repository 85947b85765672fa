/**
 * The place of a batch among those that are worked on at the same time, so that all of them together decide as if they
 * had come one after the other: each takes its rows and asks for its holds after the one before, and a payment is only
 * found short of funds when every batch before has ended.
 */
export interface Turn {
  /** Nothing is before it. */
  readonly first: boolean;
  /** Whether there may be rows for it. */
  readonly mayClaim: Promise<boolean>;
  /** Its rows are taken: the next batch may take its own, if there may be `more`. */
  claimed(more: boolean): void;
  readonly mayHold: Promise<unknown>;
  /** Its holds are decided: the next batch may ask for its own. */
  held(): void;
  readonly earlierEnded: Promise<unknown>;
  /** It is done with, well or not; says the rest too. */
  ended(): void;
}

/** So many batches in order. */
export const turns = (count: number): readonly Turn[] => {
  let mayClaim = Promise.resolve(true);
  let mayHold: Promise<unknown> = mayClaim;
  let earlierEnded: Promise<unknown> = mayClaim;
  return Array.from({ length: count }, (_none, index): Turn => {
    const claim = Promise.withResolvers<boolean>();
    const hold = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const turn = {
      first: index === 0,
      mayClaim,
      claimed: claim.resolve,
      mayHold,
      held: hold.resolve,
      earlierEnded,
      ended: (): void => {
        claim.resolve(false);
        hold.resolve();
        end.resolve();
      },
    };
    mayClaim = claim.promise;
    mayHold = Promise.all([turn.mayHold, hold.promise]);
    earlierEnded = Promise.all([turn.earlierEnded, end.promise]);
    return turn;
  });
};

/** A batch that is alone. */
export const soleTurn = (): Turn => {
  const [turn] = turns(1);
  if (turn === undefined) throw new RangeError('there is one turn');
  return turn;
};
