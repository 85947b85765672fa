/**
 * Work in progress: requests, counted from the arrival of their headers until they are answered and processed, and
 * the bytes of their bodies.
 */
export interface UnderWay {
  readonly requests: number;
  readonly bytes: number;
}

/** The part of a share that a request occupies. */
export interface Held {
  /** Releases this part of the share; further calls have no effect. */
  release(): void;
}

/**
 * The shares of the clients of this gateway. Each client may have a certain number of requests and bytes in
 * progress, independent of other clients (docs/adr/0068). Only clients with work in progress use memory.
 */
export class Shares {
  private readonly clients = new Map<string, { requests: number; bytes: number }>();

  constructor(private readonly max: UnderWay) {}

  /**
   * Takes a request and its bytes from a client's share. Returns undefined if this would exceed the share, but
   * never refuses a client's only request, however large. `times` multiplies the share for clients that cannot be
   * distinguished.
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

  /** The number of clients with work in progress. */
  get size(): number {
    return this.clients.size;
  }
}
