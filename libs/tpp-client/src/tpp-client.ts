import { createHash, randomBytes } from 'node:crypto';
import { type Answer, parseJson, type Send, send, type Sending } from './http.js';

export interface TppCredentials {
  readonly clientId: string;
  /** Absent if the TPP authenticates with the client certificate of the TLS connection (`tls_client_auth`). */
  readonly clientSecret?: string;
  readonly redirectUri: string;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in: number;
  readonly token_type: string;
  readonly scope: string;
}

/** An authorization request in progress: the URL for the PSU's browser, and the values that only this TPP knows. */
export interface AuthorizationRequest {
  readonly url: string;
  readonly state: string;
  readonly verifier: string;
}

const random = (): string => randomBytes(32).toString('base64url');

/** A TPP that follows the contract, over real HTTP. */
export class TppClient {
  constructor(
    readonly baseUrl: string,
    readonly credentials: TppCredentials,
    private readonly sender: Send = send,
  ) {}

  async call(
    method: string,
    path: string,
    token: string | undefined,
    sending: Sending = {},
  ): Promise<Answer> {
    return this.sender(method, `${this.baseUrl}${path}`, {
      ...sending,
      headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...sending.headers },
    });
  }

  /**
   * Sends POST /oauth2/token with client_secret_basic, or with only the client id if there is no secret. Returns
   * the raw response.
   */
  async tokenRequest(form: Readonly<Record<string, string>>): Promise<Answer> {
    const { clientId, clientSecret } = this.credentials;
    const url = `${this.baseUrl}/oauth2/token`;
    if (clientSecret === undefined)
      return this.sender('POST', url, { form: new URLSearchParams({ client_id: clientId, ...form }) });
    const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);
    return this.sender('POST', url, {
      form: new URLSearchParams(form),
      headers: { authorization: `Basic ${basic.toString('base64')}` },
    });
  }

  async applicationToken(scope = 'PSP_AI PSP_PI'): Promise<string> {
    return (await this.tokens({ grant_type: 'client_credentials', scope })).access_token;
  }

  /**
   * Creates the authorization request for the PSU's browser, with PKCE S256 and state. For account information,
   * pass `consentId`.
   */
  authorizationRequest(scope: string, consentId?: string): AuthorizationRequest {
    const [state, verifier] = [random(), random()];
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.credentials.clientId,
      redirect_uri: this.credentials.redirectUri,
      scope,
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(consentId === undefined ? {} : { consentId }),
    });
    return { url: `${this.baseUrl}/oauth2/authorize?${query}`, state, verifier };
  }

  /** Returns the code from the redirect, after verifying the redirect's state and issuer. */
  parseCode(returnedTo: string | undefined, { state }: AuthorizationRequest): string {
    const parameters = new URL(returnedTo ?? 'http://nowhere.invalid').searchParams;
    if (parameters.get('state') !== state)
      throw new Error(`the browser came back with another state: ${returnedTo}`);
    if (parameters.get('iss') !== this.baseUrl)
      throw new Error(`the browser came back from another issuer: ${parameters.get('iss')}`);
    const code = parameters.get('code');
    if (code === null)
      throw new Error(`no code came back: ${parameters.get('error')} ${parameters.get('error_description')}`);
    return code;
  }

  async redeem(code: string, { verifier }: AuthorizationRequest): Promise<Tokens> {
    return this.tokens({
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.credentials.redirectUri,
      code_verifier: verifier,
    });
  }

  async refresh(refreshToken: string): Promise<Tokens> {
    return this.tokens({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  private async tokens(form: Readonly<Record<string, string>>): Promise<Tokens> {
    const answer = await this.tokenRequest(form);
    if (answer.status !== 200)
      throw new Error(`the token endpoint answered ${answer.status}: ${answer.text}`);
    return parseJson<Tokens>(answer);
  }
}
