import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** The path at which OpenBao and Vault decrypt with the key `xs2a` of their transit secrets engine. */
const decryptPath = '/v1/transit/decrypt/xs2a';
const prefix = 'vault:v1:';
const reversed = (text: string): string => [...text].toReversed().join('');

/** Returns the ciphertext that {@link KmsStandIn} decrypts to this base64. It is only reversed, not encrypted. */
export const closedByKms = (base64: string): string => `${prefix}${reversed(base64)}`;

/** A fake KMS. It implements the only call of the transit API that is needed, as described in the API documentation. */
export class KmsStandIn {
  asked = 0;
  token = 'hvs.stand-in';
  /** Called with each request. If it returns true, it has already responded in place of the KMS. */
  before: ((response: ServerResponse) => boolean) | undefined;

  private constructor(
    private readonly server: Server,
    private readonly scheme: string,
  ) {}

  /** `tls`: the server's certificate and key. */
  static async start(tls?: { readonly cert: string; readonly key: string }): Promise<KmsStandIn> {
    const server = tls === undefined ? createServer() : createTlsServer(tls);
    const kms = new KmsStandIn(server, tls === undefined ? 'http' : 'https');
    server.on('request', (request, response) => void kms.handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return kms;
  }

  url(host = '127.0.0.1'): string {
    return `${this.scheme}://${host}:${(this.server.address() as AddressInfo).port}${decryptPath}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked += 1;
    if (this.before?.(response) === true) return;
    if (request.headers['x-vault-token'] !== this.token)
      return answerJson(response, 403, { errors: ['permission denied'] });
    if (request.method !== 'POST' || request.url !== decryptPath)
      return answerJson(response, 404, { errors: [] });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { ciphertext } = JSON.parse(Buffer.concat(chunks).toString()) as { ciphertext: string };
    if (!ciphertext.startsWith(prefix))
      return answerJson(response, 400, { errors: [`invalid ciphertext: ${ciphertext}`] });
    return answerJson(response, 200, { data: { plaintext: reversed(ciphertext.slice(prefix.length)) } });
  }
}

export const answerJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
