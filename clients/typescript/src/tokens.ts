import type { TokenEndpointResponse } from 'openid-client';

/** Tokens as you store them, encrypted, for the next request of this person. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** When the access token expires, in epoch milliseconds on the bank's clock. */
  readonly expiresAtMs: number;
}

/** Before it expires, an access token is renewed by this much. */
const marginMs = 10_000;

export const readTokens = (
  { access_token, refresh_token, expires_in = 0 }: TokenEndpointResponse,
  nowMs: number,
  previous?: Tokens,
): Tokens => ({
  accessToken: access_token,
  refreshToken: refresh_token ?? previous?.refreshToken,
  expiresAtMs: nowMs + expires_in * 1000,
});

/** An access token that is renewed when it expires, once for all requests that need it at the same time. */
export class TokenSource {
  private renewing: Promise<Tokens> | undefined;

  constructor(
    private readonly renewed: (previous: Tokens | undefined) => Promise<Tokens>,
    private readonly nowMs: () => number,
    private tokens?: Tokens,
  ) {}

  /** Returns a token that is valid for at least some seconds. */
  async accessToken(): Promise<string> {
    const { tokens } = this;
    if (tokens !== undefined && tokens.expiresAtMs - this.nowMs() > marginMs) return tokens.accessToken;
    return this.renew(tokens?.accessToken);
  }

  /** Returns a token other than this one, which the bank rejected as expired. */
  async renew(rejected: string | undefined): Promise<string> {
    if (this.tokens !== undefined && this.tokens.accessToken !== rejected) return this.tokens.accessToken;
    this.renewing ??= this.renewed(this.tokens).finally(() => {
      this.renewing = undefined;
    });
    this.tokens = await this.renewing;
    return this.tokens.accessToken;
  }
}
