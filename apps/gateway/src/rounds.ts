import { setTimeout as pause } from 'node:timers/promises';

interface Round<Item, Outcome> {
  readonly items: Item[];
  readonly outcomes: Promise<readonly Outcome[]>;
}

/** So long at most a round waits for the end of the one before it. */
const maxWaitMs = 20;
const maxItems = 64;

/** Puts questions together: those that come while a round is under way are asked in the next one, in one message. */
export class Rounds<Item, Outcome> {
  private underWay: Promise<unknown> = Promise.resolve();
  private next: Round<Item, Outcome> | undefined;

  /** `ask` answers an outcome for each item, in order. */
  constructor(private readonly ask: (items: readonly Item[]) => Promise<readonly Outcome[]>) {}

  /** Asked after this call was made. Rejects as the round does. */
  async add(item: Item): Promise<Outcome> {
    const round = this.next ?? this.newRound();
    const index = round.items.push(item) - 1;
    if (round.items.length === maxItems) this.next = undefined;
    const outcome = (await round.outcomes)[index];
    if (outcome === undefined) throw new RangeError('a round gave an item no outcome');
    return outcome;
  }

  private newRound(): Round<Item, Outcome> {
    const items: Item[] = [];
    const turn = Promise.race([this.underWay, pause(maxWaitMs, undefined, { ref: false })]);
    const outcomes = turn.then(() => {
      if (this.next === round) this.next = undefined;
      const asked = this.ask(items);
      // Its failure is told to its own callers, above; the next round only waits for its end.
      this.underWay = asked.catch(() => undefined);
      return asked;
    });
    const round = { items, outcomes };
    this.next = round;
    return round;
  }
}
