import { Injectable } from '@nestjs/common';
/** Max passwords that the core bank checks at the same time; it has to answer all of them within seconds. */
const places = 8;
/** Max places of one known browser, debtor account or link. */
const maxOfParty = 3;
/** Max sign-ins of each kind that wait for a place. */
const maxWaiting = 64;

/** `approval`: the session came by a payment, a consent or an authorization request that is still open. */
type SignInKind = 'approval' | 'anonymous';

/** By whom and for what somebody signs in. */
export interface SignInParty {
  readonly kind: SignInKind;
  /** The TPP of the resource that is signed. All anonymous sign-ins count as one. */
  readonly tppId: string;
  /** The known browser; else the debtor account; else the link. */
  readonly party: string;
}

/** Too many passwords wait to be checked. The PSU may try again in a few seconds. */
export class TooManySignIns extends Error {
  override readonly name = 'TooManySignIns';
}

/** A sign-in that waits for a place or has one. */
interface SignIn {
  readonly kind: SignInKind;
  readonly sharer: string;
  readonly party: string;
}
interface Waiting {
  readonly one: SignIn;
  readonly admit: () => void;
  readonly refuse: () => void;
}

const count = (all: Iterable<SignIn>, by: 'sharer' | 'party', one: SignIn): number =>
  [...all].filter((other) => other[by] === one[by]).length;

/**
 * A bulkhead around the core bank's password checks, each of which costs a memory-hard hash.
 *
 * The places are shared by TPP, and all anonymous sessions together count as one TPP: a TPP that has n places gets another only while
 * more than n are free. So one that wants all of them gets half, and the next TPP finds a place free. Of those who wait, sessions
 * with something to approve go first, then those of the TPP with the fewest places, then those of the party with the fewest.
 */
@Injectable()
export class SignInPlaces {
  private readonly taken = new Set<SignIn>();
  private readonly waiting = { approval: new Set<Waiting>(), anonymous: new Set<Waiting>() };

  /**
   * Throws TooManySignIns when too many wait, or when the work has not ended within `withinMs`. If the work takes longer, its result is
   * discarded; it keeps its place until it ends.
   */
  async run<Result>(
    { kind, tppId, party }: SignInParty,
    work: () => Promise<Result>,
    withinMs: number,
  ): Promise<Result> {
    const one: SignIn = { kind, sharer: kind === 'approval' ? tppId : '', party: `${kind} ${party}` };
    const until = performance.now() + withinMs;
    await this.enter(one, withinMs);
    const done = work().finally(() => {
      this.taken.delete(one);
      this.admitWaiting();
    });
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new TooManySignIns()), until - performance.now());
    try {
      return await Promise.race([done, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async enter(one: SignIn, withinMs: number): Promise<void> {
    if (this.isFree(one)) {
      this.taken.add(one);
      return;
    }
    const queue = this.waiting[one.kind];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = {
      one,
      admit: () => {
        queue.delete(waiting);
        this.taken.add(one);
        resolve();
      },
      refuse: () => {
        queue.delete(waiting);
        reject(new TooManySignIns());
      },
    };
    queue.add(waiting);
    if (queue.size > maxWaiting) lastOfMost([...queue]).refuse();
    const timer = setTimeout(waiting.refuse, withinMs);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  private isFree(one: SignIn): boolean {
    const free = places - this.taken.size;
    return count(this.taken, 'sharer', one) < free && count(this.taken, 'party', one) < maxOfParty;
  }

  private admitWaiting(): void {
    for (const queue of [this.waiting.approval, this.waiting.anonymous])
      for (let next = this.next(queue); next !== undefined; next = this.next(queue)) next.admit();
  }

  /** Of those who find a place free: the one whose TPP, and then whose party, has the fewest, and who has waited longest. */
  private next(queue: ReadonlySet<Waiting>): Waiting | undefined {
    const has = (by: 'sharer' | 'party', { one }: Waiting): number => count(this.taken, by, one);
    const [first] = [...queue]
      .filter(({ one }) => this.isFree(one))
      .sort((a, b) => has('sharer', a) - has('sharer', b) || has('party', a) - has('party', b));
    return first;
  }
}

/** The last to come of the party that has most sign-ins in the queue, of the TPP that has most: it gives way when the queue is full. */
const lastOfMost = (queue: readonly Waiting[]): Waiting => {
  const ones = queue.map(({ one }) => one);
  return queue.reduce((most, waiting) => {
    const more = (by: 'sharer' | 'party'): number => count(ones, by, waiting.one) - count(ones, by, most.one);
    return (more('sharer') || more('party')) >= 0 ? waiting : most;
  });
};
