import type { Held, Shares } from './shares.js';

/** The client to whose share a request counts, and the size of the request's body. */
export interface CountedRequest {
  /** The key of the client address; undefined if the request came through a proxy that does not name its clients. */
  readonly address: string | undefined;
  readonly bytes: number;
}

/** The clients of a proxy that does not forward their addresses together get this many times the share of one address. */
const unnamedTimes = 8;

/**
 * The share that a request occupies: part of its address's share until its access token is verified, and part of
 * its TPP's share after that. It is released when the response is finished and no work on the request remains, so
 * a client that disconnects still occupies its share while the work continues.
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

  /** True if the client's share had no capacity left for this request. */
  get isExceeded(): boolean {
    return this.held === undefined;
  }

  /**
   * From now on, counts the request towards this TPP instead of the address. Returns false if this exceeds the
   * TPP's share.
   */
  moveTo(clientId: string): boolean {
    const ofTpp = this.tpps.take(clientId, this.counted.bytes);
    if (ofTpp === undefined) return false;
    this.held?.release();
    this.held = ofTpp;
    // The client may have disconnected while its token was being verified, in which case no further close
    // event follows.
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
