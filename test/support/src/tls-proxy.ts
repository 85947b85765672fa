import type { Issued } from '@xs2a/qwac/issue-certificate';
import { once } from 'node:events';
import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as plainRequest,
  type ServerResponse,
} from 'node:http';
import { createServer, request as tlsRequest, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';

/** The name in the proxy's own certificate. */
export const proxyName = 'xs2a.bank.example';

export interface ProxyParts {
  /** The address of the gateway. */
  readonly gateway: string;
  readonly secret: string;
  /** The proxy's certificate, and the authority from which clients accept it. */
  readonly identity: Issued;
  readonly authority: string;
}

/** Request options as accepted by `fetch`. */
export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * The escaped certificate, computed once per connection because the certificate does not change during a
 * connection.
 */
const escaped = new WeakMap<TLSSocket, string>();

/** Returns the client certificate in PEM, escaped as by nginx, or an empty string if there is none. */
const readCertificate = ({ socket }: IncomingMessage): string => {
  if (!(socket instanceof TLSSocket)) return '';
  const certificate =
    escaped.get(socket) ?? encodeURIComponent(socket.getPeerX509Certificate()?.toString() ?? '');
  escaped.set(socket, certificate);
  return certificate;
};

const readResponse = async (message: IncomingMessage): Promise<Response> => {
  const body = await buffer(message);
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  return new Response(body.length === 0 ? null : new Uint8Array(body), {
    status: message.statusCode ?? 502,
    headers,
  });
};

/**
 * Terminates TLS in front of the gateway as deploy/gateway/nginx.conf does: it requests a client certificate but
 * does not verify it.
 */
export class TlsProxy {
  private constructor(
    private readonly parts: ProxyParts,
    private readonly server: Server,
    private readonly agent: Agent,
  ) {}

  static async start(parts: ProxyParts, port = 0): Promise<TlsProxy> {
    const { certificate: cert, privateKey: key } = parts.identity;
    const agent = new Agent({ keepAlive: true, maxSockets: 64 });
    const server = createServer(
      { cert, key, requestCert: true, rejectUnauthorized: false },
      (request, response) => handOn(parts, agent, request, response),
    );
    // The same time as the default of nginx, so that a client that pauses for some seconds keeps its
    // connection.
    server.keepAliveTimeout = 75_000;
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new TlsProxy(parts, server, agent);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    this.agent.destroy();
    await once(this.server, 'close');
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /**
   * Returns a `fetch` that presents the given certificate and always connects to the gateway over TLS, regardless
   * of the URL's origin.
   */
  fetchAs(identity: Issued | undefined): (url: string, asked?: Asked) => Promise<Response> {
    const { port } = this;
    return async (url, { method = 'GET', headers = {}, body } = {}) => {
      const { pathname, search } = new URL(url);
      const sent = body === undefined || body === null ? undefined : String(body);
      const request = tlsRequest({
        host: '127.0.0.1',
        port,
        servername: proxyName,
        ca: this.parts.authority,
        ...(identity === undefined ? {} : { cert: identity.certificate, key: identity.privateKey }),
        agent: false,
        method,
        path: `${pathname}${search}`,
        headers: {
          ...headers,
          ...(body instanceof URLSearchParams ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
          ...(sent === undefined ? {} : { 'content-length': Buffer.byteLength(sent) }),
        },
      });
      request.end(sent);
      const [message] = (await once(request, 'response')) as [IncomingMessage];
      return readResponse(message);
    };
  }
}

const handOn = (
  { gateway, secret }: ProxyParts,
  agent: Agent,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  const headers: IncomingHttpHeaders = {
    ...request.headers,
    // These two headers replace any headers with the same names from the client.
    'x-ssl-client-cert': readCertificate(request),
    'x-proxy-secret': secret,
  };
  const onwards = plainRequest(new URL(request.url ?? '/', gateway), {
    method: request.method ?? 'GET',
    agent,
    headers,
  });
  onwards.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onwards.on('error', () => response.destroy());
  request.pipe(onwards);
};
