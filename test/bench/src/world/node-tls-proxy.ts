import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request as plainRequest, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Terminates TLS in front of the gateway where the machine has no nginx, as a separate process: requests a client certificate,
 * verifies none, and forwards it as deploy/gateway/nginx.conf does.
 */
const setting = (name: string): string => process.env[name] ?? '';
const gatewayPort = Number(setting('GATEWAY_PORT'));
const secret = setting('PROXY_SECRET');
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Escaped once per connection: the certificate does not change during a connection. */
const escaped = new WeakMap<TLSSocket, string>();
const readCertificate = ({ socket }: IncomingMessage): string => {
  if (!(socket instanceof TLSSocket)) return '';
  const known = escaped.get(socket) ?? encodeURIComponent(socket.getPeerX509Certificate()?.toString() ?? '');
  escaped.set(socket, known);
  return known;
};

const handOn = (request: IncomingMessage, response: ServerResponse): void => {
  const onwards = plainRequest({
    host: '127.0.0.1',
    port: gatewayPort,
    path: request.url,
    method: request.method ?? 'GET',
    agent,
    headers: {
      ...request.headers,
      'x-ssl-client-cert': readCertificate(request),
      'x-proxy-secret': secret,
    },
  });
  onwards.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onwards.on('error', () => response.destroy());
  request.pipe(onwards);
};

const server = createServer(
  {
    cert: readFileSync(setting('CERTIFICATE_FILE')),
    key: readFileSync(setting('KEY_FILE')),
    requestCert: true,
    rejectUnauthorized: false,
  },
  handOn,
);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.({ ready: true, port: (server.address() as AddressInfo).port });
process.on('disconnect', () => process.exit(0));
