import { Injectable } from '@nestjs/common';
/** Max concurrent password checks at the core bank, which must answer all of them within seconds. */
const places = 8;
/** Max places for one known browser, debtor account or link. */
const maxOfParty = 3;
/** Max sign-ins of each kind waiting for a place. */
const maxWaiting = 64;

/** `approval`: the session was started by a payment, a consent or an authorization request that is still open. */
type SignInKind = 'approval' | 'anonymous';

/** Who signs in, and for what. */
export interface SignInParty {
  readonly kind: SignInKind;
  /** The TPP of the resource to be signed. All anonymous sign-ins count as one TPP. */
  readonly tppId: string;
  /** The known browser, or else the debtor account, or else the link. */
  readonly party: string;
}

/** Thrown when too many passwords are waiting to be checked. The PSU may try again in a few seconds. */
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
 * A bulkhead around the core bank's password checks, each of which computes a memory-hard hash.
 *
 * The places are shared by TPP, and all anonymous sessions count as one TPP. A TPP that holds n places gets
 * another only while more than n are free, so a TPP that wants all of them gets half, and the next TPP still finds
 * one. Among waiting sign-ins, sessions with something to approve go first, then those of the TPP with the fewest
 * places, then those of the party with the fewest.
 */
@Injectable()
export class SignInPlaces {
  private readonly taken = new Set<SignIn>();
  private readonly waiting = { approval: new Set<Waiting>(), anonymous: new Set<Waiting>() };

  /**
   * Throws TooManySignIns if too many are waiting, or if the work has not ended within `withinMs`. If the work
   * takes longer, its result is discarded, and it keeps its place until it ends.
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

  /**
   * The next sign-in among those that may take a free place: the TPP with the fewest places first, then the party
   * with the fewest, then the longest wait.
   */
  private next(queue: ReadonlySet<Waiting>): Waiting | undefined {
    const has = (by: 'sharer' | 'party', { one }: Waiting): number => count(this.taken, by, one);
    const [first] = [...queue]
      .filter(({ one }) => this.isFree(one))
      .sort((a, b) => has('sharer', a) - has('sharer', b) || has('party', a) - has('party', b));
    return first;
  }
}

/**
 * The latest sign-in of the party with the most in the queue, within the TPP with the most: it is dropped when the
 * queue is full.
 */
const lastOfMost = (queue: readonly Waiting[]): Waiting => {
  const ones = queue.map(({ one }) => one);
  return queue.reduce((most, waiting) => {
    const more = (by: 'sharer' | 'party'): number => count(ones, by, waiting.one) - count(ones, by, most.one);
    return (more('sharer') || more('party')) >= 0 ? waiting : most;
  });
};
