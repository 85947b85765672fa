/** What is under way: whole requests, from their head until they are answered and worked off, and bytes of their bodies. */
export interface UnderWay {
  readonly requests: number;
  readonly bytes: number;
}

/** A part of a share that a request holds. */
export interface Held {
  /** Gives it back; a second time does nothing. */
  release(): void;
}

/**
 * The shares of clients in this gateway: each may have so many requests and so many bytes under way, and what others have does not
 * matter (docs/adr/0068). Only clients that have something under way take memory.
 */
export class Shares {
  private readonly clients = new Map<string, { requests: number; bytes: number }>();

  constructor(private readonly max: UnderWay) {}

  /**
   * Takes a request and its bytes from a client's share; undefined: that is exceeded. A request that would be its client's only one
   * is never refused, however large. `times`: for clients that cannot be distinguished.
   */
  take(client: string, bytes: number, times = 1): Held | undefined {
    const known = this.clients.get(client);
    const share = known ?? { requests: 0, bytes: 0 };
    const { max } = this;
    const isFull = share.requests >= max.requests * times || share.bytes + bytes > max.bytes * times;
    if (known !== undefined && isFull) return undefined;
    share.requests += 1;
    share.bytes += bytes;
    if (known === undefined) this.clients.set(client, share);
    let isHeld = true;
    return {
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        share.requests -= 1;
        share.bytes -= bytes;
        if (share.requests === 0) this.clients.delete(client);
      },
    };
  }

  /** The number of clients with something under way. */
  get size(): number {
    return this.clients.size;
  }
}
