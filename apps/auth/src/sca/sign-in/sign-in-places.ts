/** Max passwords that the core bank checks at the same time; it has to answer all of them within seconds. */
const places = 8;
/** Max of these for sessions with nothing to approve, which anybody can begin. */
const anonymousPlaces = 4;
/** Max sign-ins of each kind that wait for a place, and for how long; a browser gives up soon after. */
const maxWaiting = 64;
const maxWaitMs = 3000;
/** Max sign-ins for one resource in reserved places; further ones count as anonymous, so that no link fills all places. */
const maxOfResource = 3;

/** `approval`: the session came by a payment, a consent or an authorization request that is still open. */
export type SignInKind = 'approval' | 'anonymous';

/** Too many passwords wait to be checked. The PSU may try again in a few seconds. */
export class TooManySignIns extends Error {
  override readonly name = 'TooManySignIns';
}

/**
 * A bulkhead around the core bank's password checks, each of which costs a memory-hard hash. Half of the places are
 * reserved for sessions with something to approve, and these go first: anonymous sessions that fill the rest take nothing from them.
 */
export class SignInPlaces {
  private readonly waiting = { approval: new Set<() => void>(), anonymous: new Set<() => void>() };
  private readonly taken = { approval: 0, anonymous: 0 };
  private readonly ofResource = new Map<string, number>();

  constructor(private readonly waitMs = maxWaitMs) {}

  /** Throws TooManySignIns when too many wait, or no place became free in time. */
  async run<Result>(wanted: SignInKind, resource: string, work: () => Promise<Result>): Promise<Result> {
    const already = this.ofResource.get(resource) ?? 0;
    const kind = already < maxOfResource ? wanted : 'anonymous';
    this.ofResource.set(resource, already + 1);
    try {
      await this.enter(kind);
      try {
        return await work();
      } finally {
        this.taken[kind] -= 1;
        this.admitNext();
      }
    } finally {
      const left = (this.ofResource.get(resource) ?? 1) - 1;
      if (left === 0) this.ofResource.delete(resource);
      else this.ofResource.set(resource, left);
    }
  }

  private async enter(kind: SignInKind): Promise<void> {
    if (this.isFree(kind)) {
      this.taken[kind] += 1;
      return;
    }
    const waiting = this.waiting[kind];
    if (waiting.size >= maxWaiting) throw new TooManySignIns();
    await new Promise<void>((resolve, reject) => {
      const admit = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(admit);
        reject(new TooManySignIns());
      }, this.waitMs);
      waiting.add(admit);
    });
  }

  private isFree(kind: SignInKind): boolean {
    const { approval, anonymous } = this.taken;
    return approval + anonymous < places && (kind === 'approval' || anonymous < anonymousPlaces);
  }

  private admitNext(): void {
    for (const kind of ['approval', 'anonymous'] as const) {
      const [next] = this.waiting[kind];
      if (next === undefined || !this.isFree(kind)) continue;
      this.waiting[kind].delete(next);
      this.taken[kind] += 1;
      next();
      return;
    }
  }
}
