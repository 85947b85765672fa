/** A member of the staff at the console, over plain HTTP: it keeps cookies and follows redirects. */
export class StaffBrowser {
  private readonly cookies = new Map<string, Map<string, string>>();

  constructor(readonly consoleUrl: string) {}

  /** The cookie of the console's session. */
  get session(): string | undefined {
    return this.jar(this.consoleUrl).get('xs2a-console');
  }
  set session(value: string | undefined) {
    if (value === undefined) this.jar(this.consoleUrl).delete('xs2a-console');
    else this.jar(this.consoleUrl).set('xs2a-console', value);
  }

  /** Sends a request to a path of the console, without following redirects. */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    return this.request(new URL(path, this.consoleUrl).href, init);
  }

  /** Opens a path of the console and follows redirects. Returns the last response. */
  async open(path: string): Promise<Response> {
    return this.follow(await this.send(path));
  }

  /** Signs in as one of the sandbox's staff. Returns the page that was asked for. */
  async signIn(staff: string, path = '/'): Promise<Response> {
    const choice = await this.open(path);
    const action = /action="([^"]+)"/.exec(await choice.text())?.[1];
    if (action === undefined) throw new Error(`no sign-in at ${choice.url}`);
    const chosen = await this.request(new URL(action, choice.url).href, {
      method: 'POST',
      body: new URLSearchParams({ staff }),
    });
    return this.follow(chosen);
  }

  async follow(response: Response): Promise<Response> {
    let last = response;
    for (let hops = 0; hops < 10 && last.status >= 300 && last.status < 400; hops += 1) {
      await last.body?.cancel();
      last = await this.request(new URL(last.headers.get('location') ?? '', last.url).href);
    }
    return last;
  }

  private async request(url: string, init: RequestInit = {}): Promise<Response> {
    const jar = this.jar(url);
    const headers = new Headers(init.headers);
    if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  private jar(url: string): Map<string, string> {
    const { origin } = new URL(url);
    const jar = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, jar);
    return jar;
  }
}
