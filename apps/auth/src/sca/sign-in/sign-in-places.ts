import { Injectable } from '@nestjs/common';
/** The maximum number of concurrent password checks at the core bank, which must answer all of them within seconds. */
const places = 8;
/** The maximum number of slots for one known browser, debtor account or link. */
const maxOfParty = 3;
/** The maximum number of sign-ins of each kind that may wait for a slot. */
const maxWaiting = 64;

/** `approval`: the session belongs to a payment, a consent or an authorization request that is still open. */
type SignInKind = 'approval' | 'anonymous';

/** The party that signs in, and the purpose of the sign-in. */
export interface SignInParty {
  readonly kind: SignInKind;
  /** The TPP of the resource to be signed. All anonymous sign-ins count as one TPP. */
  readonly tppId: string;
  /** The known browser if there is one, otherwise the debtor account if there is one, otherwise the link. */
  readonly party: string;
}

/** Thrown when too many passwords are waiting to be checked. The PSU can try again a few seconds later. */
export class TooManySignIns extends Error {
  override readonly name = 'TooManySignIns';
}

/** A sign-in that has a slot or is waiting for one. */
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
 * The slots are shared between the TPPs, and all anonymous sessions count as one TPP. A TPP that occupies n slots
 * gets another one only while more than n are free, so a TPP that wants all of them gets half, and the next TPP
 * still finds a free one. Waiting sign-ins are served in this order: sessions with something to approve, then the
 * TPP with the fewest slots, then the party with the fewest slots.
 */
@Injectable()
export class SignInPlaces {
  private readonly taken = new Set<SignIn>();
  private readonly waiting = { approval: new Set<Waiting>(), anonymous: new Set<Waiting>() };

  /**
   * Throws TooManySignIns if too many sign-ins are waiting, or if the work is not finished within `withinMs`. In
   * the second case the result of the work is discarded, and the slot stays occupied until the work ends.
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
   * The next sign-in among those that may take a free slot: the TPP with the fewest slots first, then the party
   * with the fewest, then the one that has waited longest.
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
 * Finds the sign-in to drop from a full queue: within the TPP with the most waiting sign-ins, the latest one of
 * the party with the most.
 */
const lastOfMost = (queue: readonly Waiting[]): Waiting => {
  const ones = queue.map(({ one }) => one);
  return queue.reduce((most, waiting) => {
    const more = (by: 'sharer' | 'party'): number => count(ones, by, waiting.one) - count(ones, by, most.one);
    return (more('sharer') || more('party')) >= 0 ? waiting : most;
  });
};
