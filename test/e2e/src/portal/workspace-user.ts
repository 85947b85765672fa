import type { Page } from 'playwright-core';

/** The credentials of a registered application. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A developer who uses the workspace without a browser. */
export class WorkspaceUser {
  /** The header `Cookie`. */
  cookie = '';

  constructor(
    private readonly baseUrl: string,
    readonly credentials: Credentials,
  ) {}

  /** Registers an application at the API. */
  static async register(baseUrl: string, name: string): Promise<WorkspaceUser> {
    const response = await fetch(`${baseUrl}/sandbox/tpps`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        name,
        redirectUris: [`${baseUrl}/workspace/return`],
        roles: ['PSP_AI', 'PSP_PI', 'PSP_IC'],
      }),
    });
    return new WorkspaceUser(baseUrl, (await response.json()) as Credentials);
  }

  /** Returns an application token. */
  async token(): Promise<string> {
    const { clientId, clientSecret } = this.credentials;
    const response = await fetch(`${this.baseUrl}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    return ((await response.json()) as { access_token: string }).access_token;
  }

  /** Creates a payment or a consent at the API. */
  async create<Body>(
    path: string,
    { json, headers }: { readonly json: unknown; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Body> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await this.token()}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(json),
    });
    if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
    return (await response.json()) as Body;
  }

  /** Opens a page of the workspace in a browser, and signs in. */
  async signInAt(page: Page, path: string): Promise<void> {
    await page.goto(`${this.baseUrl}${path}`);
    await page.getByLabel('Client id').fill(this.credentials.clientId);
    await page.getByLabel('Client secret').fill(this.credentials.clientSecret);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  async get(path: string): Promise<Response> {
    return this.keepCookie(
      await fetch(`${this.baseUrl}${path}`, { redirect: 'manual', headers: { cookie: this.cookie } }),
    );
  }

  /** Sends a form; without `csrf`, it has no token. */
  async post(path: string, form: Readonly<Record<string, string>>, csrf?: string): Promise<Response> {
    return this.keepCookie(
      await fetch(`${this.baseUrl}${path}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: this.cookie },
        body: new URLSearchParams({ ...form, ...(csrf === undefined ? {} : { csrf }) }),
      }),
    );
  }

  /** Returns the CSRF token of the forms of a page. */
  async csrf(path: string): Promise<string> {
    const text = await (await this.get(path)).text();
    return /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  }

  /** Signs in, by default with the right credentials. */
  async signIn(form: Readonly<Record<string, string>> = {}): Promise<Response> {
    const csrf = await this.csrf('/workspace/sign-in');
    return this.post('/workspace/sign-in', { ...this.credentials, ...form }, csrf);
  }

  /** Sends the registration form. */
  async registration(form: Readonly<Record<string, string>>): Promise<Response> {
    const csrf = await this.csrf('/workspace/register');
    return this.post('/workspace/register', { role: 'PSP_PI', ...form }, csrf);
  }

  private keepCookie(response: Response): Response {
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) this.cookie = set.split(';', 1)[0] ?? '';
    return response;
  }
}
