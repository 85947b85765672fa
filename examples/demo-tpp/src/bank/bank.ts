export interface BankSettings {
  readonly BANK_URL: string;
  readonly CLIENT_ID: string;
  readonly CLIENT_SECRET: string;
}
/** The tokens of one authorization code. A refresh replaces them in place. */
export interface Grant {
  accessToken: string;
  refreshToken?: string;
  /** The refresh under way: each refresh token is used once, by any request. */
  refreshing?: Promise<boolean>;
}
export interface TppMessage {
  readonly code: string;
  readonly path?: string;
  readonly text?: string;
}
export interface BankAnswer<Body> {
  readonly status: number;
  readonly body: Body & { readonly tppMessages?: readonly TppMessage[] };
}
export interface Asking {
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
/** The bank is unreachable or temporarily unavailable. */
export class BankAway extends Error {
  override readonly name = 'BankAway';
}

const answerWithinMs = 10_000;

/** The bank's XS2A interface as a third party calls it: only HTTP and bearer tokens. */
export class Bank {
  constructor(private readonly settings: BankSettings) {}

  get url(): string {
    return this.settings.BANK_URL;
  }

  /** A token of this application itself, for consents (`PSP_AI`) or payments (`PSP_PI`). */
  async applicationToken(scope: 'PSP_AI' | 'PSP_PI'): Promise<string> {
    const answer = await this.token({ grant_type: 'client_credentials', scope });
    if (answer.status !== 200) throw new BankAway(`the token endpoint answered ${answer.status}`);
    return answer.body.access_token;
  }

  /** Exchanges an authorization code, with the redirect URI and the code verifier that belong to it. */
  async redeem(form: Readonly<Record<string, string>>): Promise<Grant> {
    const { status, body } = await this.token(form);
    if (status !== 200) throw new Error(`the token endpoint answered ${status}`);
    return { accessToken: body.access_token, refreshToken: body.refresh_token };
  }

  async call<Body>(
    method: string,
    path: string,
    token: string,
    { json, headers }: Asking = {},
  ): Promise<BankAnswer<Body>> {
    return this.send<Body>(path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
  }

  /**
   * Calls the bank for the person, who is present (`PSU-IP-Address`), so that the call is not counted. Undefined: the
   * grant has ended (withdrawn, expired, replaced), and the person has to connect again.
   */
  async asPerson<Body>(
    grant: Grant,
    psuIp: string,
    method: string,
    path: string,
    asking: Asking = {},
  ): Promise<BankAnswer<Body> | undefined> {
    const headers = { ...asking.headers, 'psu-ip-address': psuIp };
    const ask = async () => this.call<Body>(method, path, grant.accessToken, { ...asking, headers });
    const first = await ask();
    if (first.status !== 401) return first;
    if (first.body.tppMessages?.[0]?.code !== 'TOKEN_EXPIRED') return undefined;
    grant.refreshing ??= this.refresh(grant).finally(() => delete grant.refreshing);
    if (!(await grant.refreshing)) return undefined;
    const second = await ask();
    return second.status === 401 ? undefined : second;
  }

  private async refresh(grant: Grant): Promise<boolean> {
    if (grant.refreshToken === undefined) return false;
    const { status, body } = await this.token({
      grant_type: 'refresh_token',
      refresh_token: grant.refreshToken,
    });
    if (status !== 200) return false;
    grant.accessToken = body.access_token;
    grant.refreshToken = body.refresh_token ?? grant.refreshToken;
    return true;
  }

  private async token(
    form: Readonly<Record<string, string>>,
  ): Promise<BankAnswer<{ readonly access_token: string; readonly refresh_token?: string }>> {
    const { CLIENT_ID, CLIENT_SECRET } = this.settings;
    const basic = Buffer.from(`${encodeURIComponent(CLIENT_ID)}:${encodeURIComponent(CLIENT_SECRET)}`);
    return this.send('/oauth2/token', {
      method: 'POST',
      headers: { authorization: `Basic ${basic.toString('base64')}` },
      body: new URLSearchParams(form),
    });
  }

  private async send<Body>(path: string, init: RequestInit): Promise<BankAnswer<Body>> {
    const headers = { accept: 'application/json', ...init.headers };
    try {
      const answer = await fetch(`${this.settings.BANK_URL}${path}`, {
        ...init,
        headers,
        redirect: 'error',
        signal: AbortSignal.timeout(answerWithinMs),
      });
      if (answer.status >= 500) throw new BankAway(`the bank answered ${answer.status}`);
      const text = await answer.text();
      return {
        status: answer.status,
        body: JSON.parse(text === '' ? '{}' : text) as BankAnswer<Body>['body'],
      };
    } catch (error) {
      throw error instanceof BankAway ? error : new BankAway('the bank could not be asked', { cause: error });
    }
  }
}
