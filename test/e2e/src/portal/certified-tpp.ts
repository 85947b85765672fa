import { Xs2aError } from '@xs2a/client/error';
import type { CreatedPayment } from '@xs2a/client/payments';
import { createXs2a, type Xs2a } from '@xs2a/client/xs2a';
import { domesticPayment, domesticPath } from '@xs2a/test-support/requests';
import { domesticProduct } from '@xs2a/test-support/home';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a bad application does. */
export type Fault =
  | 'posts-twice-without-key'
  | 'posts-twice-with-request-ids'
  | 'new-key-after-503'
  | 'token-in-url'
  | 'no-nok-page'
  | 'accepts-forgeries';

/** An application of a TPP, made with the client in TypeScript. It is sound, except for its faults. */
export class CertifiedTpp {
  readonly faults = new Set<Fault>();
  xs2a!: Xs2a;
  private readonly server = createServer((request, response) => void this.answer(request, response));

  private constructor(
    private readonly bank: string,
    private readonly iban: string,
  ) {}

  /** Listens on a free port. */
  static async start(bank: string, iban: string): Promise<CertifiedTpp> {
    const tpp = new CertifiedTpp(bank, iban);
    tpp.server.listen(0, '127.0.0.1');
    await once(tpp.server, 'listening');
    return tpp;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Uses these credentials from now on. */
  connect({ clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string }): void {
    const auth = { secret: clientSecret };
    this.xs2a = createXs2a({ baseUrl: this.bank, clientId, auth, sandbox: true });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** Pays with the client. `changes`: members of the body. */
  async pay(changes: Readonly<Record<string, unknown>> = {}): Promise<CreatedPayment> {
    return this.xs2a.payments.create(domesticProduct, this.body(changes) as never, {
      psuIpAddress: '192.0.2.1',
      redirectUri: `${this.url}/callback`,
      nokRedirectUri: `${this.url}/nok`,
      notificationUri: `${this.url}/push`,
    });
  }

  /** Sends a payment once, as an application without the client does, and returns the status. */
  async post(token: string, headers: Readonly<Record<string, string>>, query = ''): Promise<number> {
    const { status } = await fetch(`${this.bank}${domesticPath}${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(this.body({ endToEndIdentification: 'E2E-9' })),
    });
    return status;
  }

  private body(changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return domesticPayment(this.iban, '1.00', changes);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.writeHead(await this.statusFor(request, Buffer.concat(chunks))).end();
  }

  private async statusFor({ url = '', headers }: IncomingMessage, body: Buffer): Promise<number> {
    const { pathname, searchParams } = new URL(url, this.url);
    if (pathname === '/push') return this.statusForPush(headers, body);
    if (pathname === '/nok') return this.faults.has('no-nok-page') ? 404 : 200;
    // This application asked for no code.
    return searchParams.has('code') ? 400 : 200;
  }

  private async statusForPush(headers: IncomingMessage['headers'], body: Buffer): Promise<number> {
    if (this.faults.has('accepts-forgeries')) return 204;
    try {
      await this.xs2a.verifyPush(headers, body);
      return 204;
    } catch (error) {
      if (error instanceof Xs2aError) return 401;
      throw error;
    }
  }
}
