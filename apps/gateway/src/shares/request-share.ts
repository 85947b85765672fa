import type { Held, Shares } from './shares.js';

/** The client that a request is counted for, and the size of its body. */
export interface CountedRequest {
  /** The key of the client address; undefined if the request came through a proxy that does not name its clients. */
  readonly address: string | undefined;
  readonly bytes: number;
}

/** How many shares of one address all clients of a proxy that does not name them have together. */
const unnamedTimes = 8;

/**
 * The shares that one request occupies: that of its address until its access token is verified, then that of its
 * TPP. A share is released when the response is finished and no work on the request remains: a client that
 * disconnects still occupies its share while the work continues.
 */
export class RequestShare {
  private held: Held | undefined;
  private isClosed = false;
  private works = 0;

  constructor(
    private readonly tpps: Shares,
    addresses: Shares,
    private readonly counted: CountedRequest,
  ) {
    const { address, bytes } = counted;
    this.held =
      address === undefined
        ? addresses.take('clients that the proxy does not name', bytes, unnamedTimes)
        : addresses.take(address, bytes);
  }

  /** True if the client had no capacity left for this request. */
  get isExceeded(): boolean {
    return this.held === undefined;
  }

  /** Counts the request towards this TPP from now on instead of the address. False if the TPP's share is exceeded. */
  moveTo(clientId: string): boolean {
    const ofTpp = this.tpps.take(clientId, this.counted.bytes);
    if (ofTpp === undefined) return false;
    this.held?.release();
    this.held = ofTpp;
    // The client may have disconnected while its token was being verified, and no further close event
    // follows.
    this.releaseWhenOver();
    return true;
  }

  beginWork(): void {
    this.works += 1;
  }

  endWork(): void {
    this.works -= 1;
    this.releaseWhenOver();
  }

  close(): void {
    this.isClosed = true;
    this.releaseWhenOver();
  }

  private releaseWhenOver(): void {
    if (this.isClosed && this.works === 0) this.held?.release();
  }
}
