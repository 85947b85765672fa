import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server } from 'node:tls';
import type { Issued } from './issue-certificate.js';
import {
  issueTestQwac,
  issueTestRevocationList,
  issueTestServer,
  newSandboxAuthority,
} from './sandbox-authority.js';

const now = Date.now();
const authority = newSandboxAuthority(now);
const tpp = {
  name: 'Acme',
  organizationIdentifier: 'PSDBG-BNB-1234',
  roles: ['PSP_AI'],
  days: 90,
} as const;
let server: Server;

beforeAll(async () => {
  const { certificate: cert, privateKey: key } = issueTestServer(['127.0.0.1', 'localhost'], authority, now);
  const [ca, crl] = [authority.certificate, issueTestRevocationList(authority, now)];
  server = createServer({ cert, key, ca, crl, requestCert: true, rejectUnauthorized: false }, (socket) =>
    socket.end(socket.authorized ? 'authorised' : String(socket.authorizationError)),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

const say = async ({ certificate, privateKey }: Issued, host: string): Promise<string> => {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host, port, ca: authority.certificate, cert: certificate, key: privateKey });
  const [said] = (await once(socket, 'data')) as [Buffer];
  return said.toString();
};

describe('the test authority', () => {
  it('issues what mutual TLS needs: certificates for each name of the server, and an empty revocation list', async () => {
    const client = issueTestQwac(tpp, authority, now);
    expect(await say(client, '127.0.0.1')).toBe('authorised');
    expect(await say(client, 'localhost')).toBe('authorised');
  });

  it('signs with its own key, so that a client with a certificate from another authority of the same name is not authorised', async () => {
    const stranger = issueTestQwac(tpp, newSandboxAuthority(now), now);
    expect(await say(stranger, '127.0.0.1')).not.toBe('authorised');
  });
});
