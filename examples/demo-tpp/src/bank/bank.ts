import { parseJson, send, type Send, type Sending } from '@xs2a/tpp-client/http';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import type { Settings } from '../config.js';

/** The tokens obtained with one authorization code. A refresh replaces them in place. */
export interface Grant {
  accessToken: string;
  refreshToken?: string;
  /** The refresh in progress, shared by all requests so that each refresh token is used once. */
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
interface TokenBody {
  readonly access_token: string;
  readonly refresh_token?: string;
}
/** Thrown when the bank is unreachable or temporarily unavailable. */
export class BankDown extends Error {
  override readonly name = 'BankDown';
}

const sendToBank: Send = async (method, url, sending) => {
  const answer = await send(method, url, sending).catch((cause: unknown) => {
    throw new BankDown('the bank did not answer', { cause });
  });
  if (answer.status >= 500) throw new BankDown(`the bank answered ${answer.status}`);
  return answer;
};

/** A client for the bank's XS2A interface as a third party uses it: only HTTP and bearer tokens. */
export class Bank {
  private readonly tpp: TppClient;

  constructor({ BANK_URL, CLIENT_ID, CLIENT_SECRET, OWN_URL }: Settings) {
    const redirectUri = `${OWN_URL}/callback`;
    const credentials = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, redirectUri };
    this.tpp = new TppClient(BANK_URL, credentials, sendToBank);
  }

  /** Calls the bank with an application token, for consents (`PSP_AI`) or payments (`PSP_PI`). */
  async asApplication<Body>(
    scope: 'PSP_AI' | 'PSP_PI',
    method: string,
    path: string,
    sending?: Sending,
  ): Promise<BankAnswer<Body>> {
    return this.call<Body>(await this.applicationToken(scope), method, path, sending);
  }

  /**
   * Reads several paths with an application token. The result is undefined for each resource that no longer exists
   * at the bank.
   */
  async readAll<Body>(paths: readonly string[]): Promise<readonly (Body | undefined)[]> {
    const token = await this.applicationToken('PSP_PI');
    const answers = await Promise.all(paths.map(async (path) => this.call<Body>(token, 'GET', path)));
    return answers.map(({ status, body }) => (status === 200 ? body : undefined));
  }

  /**
   * Calls the bank for a user who is present (`PSU-IP-Address`), so that the call is not counted. Returns
   * undefined if the grant has ended (withdrawn, expired, replaced) and the user must connect again.
   */
  async asPerson<Body>(
    grant: Grant,
    psuIp: string,
    method: string,
    path: string,
    sending?: Sending,
  ): Promise<BankAnswer<Body> | undefined> {
    const withIp = { ...sending, headers: { 'psu-ip-address': psuIp } };
    const ask = async () => this.call<Body>(grant.accessToken, method, path, withIp);
    const first = await ask();
    if (first.status !== 401) return first;
    if (first.body.tppMessages?.[0]?.code !== 'TOKEN_EXPIRED') return undefined;
    grant.refreshing ??= this.refresh(grant).finally(() => delete grant.refreshing);
    if (!(await grant.refreshing)) return undefined;
    const second = await ask();
    return second.status === 401 ? undefined : second;
  }

  /** Exchanges an authorization code, sent with its redirect URI and code verifier. */
  async redeem(form: Readonly<Record<string, string>>): Promise<Grant> {
    const answer = await this.tpp.tokenRequest(form);
    if (answer.status !== 200) throw new Error(`the token endpoint answered ${answer.status}`);
    const { access_token, refresh_token } = parseJson<TokenBody>(answer);
    return { accessToken: access_token, refreshToken: refresh_token };
  }

  private async applicationToken(scope: 'PSP_AI' | 'PSP_PI'): Promise<string> {
    try {
      return await this.tpp.applicationToken(scope);
    } catch (cause) {
      throw cause instanceof BankDown ? cause : new BankDown('the bank issued no token', { cause });
    }
  }

  private async refresh(grant: Grant): Promise<boolean> {
    const { refreshToken } = grant;
    if (refreshToken === undefined) return false;
    const answer = await this.tpp.tokenRequest({ grant_type: 'refresh_token', refresh_token: refreshToken });
    if (answer.status !== 200) return false;
    const { access_token, refresh_token = refreshToken } = parseJson<TokenBody>(answer);
    Object.assign(grant, { accessToken: access_token, refreshToken: refresh_token });
    return true;
  }

  private async call<Body>(
    token: string,
    method: string,
    path: string,
    sending?: Sending,
  ): Promise<BankAnswer<Body>> {
    const answer = await this.tpp.call(method, path, token, sending);
    const body = answer.text === '' ? {} : parseJson(answer);
    return { status: answer.status, body: body as BankAnswer<Body>['body'] };
  }
}
