import type { Held, Shares } from './shares.js';

/** The client to which a request is counted, and the size of its body. */
export interface CountedRequest {
  /** The key of its address; undefined: it came through a proxy that does not name its clients. */
  readonly address: string | undefined;
  readonly bytes: number;
}

/** So many times the share of one address for all clients of a proxy that does not name them. */
const unnamedTimes = 8;

/**
 * What one request holds of shares: of its address's until its access token is verified, then of its TPP's. It is given back when
 * the connection is done with the answer and nobody works on the request any more: a client that hangs up does not get rid of the
 * work that it caused.
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

  /** The client had no room for this request. */
  get isExceeded(): boolean {
    return this.held === undefined;
  }

  /** Counts the request to this TPP from now on, and no longer to the address. False: the TPP's share is exceeded. */
  moveTo(clientId: string): boolean {
    const ofTpp = this.tpps.take(clientId, this.counted.bytes);
    if (ofTpp === undefined) return false;
    this.held?.release();
    this.held = ofTpp;
    // The client may have hung up while its token was verified: nothing closes the request again.
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
