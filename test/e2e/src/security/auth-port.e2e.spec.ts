import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clientCertValue } from '@xs2a/qwac/certificate-header';
import type { PspRole } from '@xs2a/qwac/psp-roles';
import { issueTestQwac } from '@xs2a/qwac/sandbox-authority';
import { makeLayout, secretIn } from '@xs2a/sandbox/layout';
import { type Answer, parseJson, send } from '@xs2a/tpp-client/http';
import { testAuthority } from '@xs2a/sandbox/tpp/test-authority';
import { X509Certificate } from 'node:crypto';
import { freePort } from '@xs2a/local-servers/free-port';
import { World } from '@xs2a/test-support/world';

const organizationIdentifier = 'PSDBG-BNB-DOOR1';
const roles: readonly PspRole[] = ['PSP_AI', 'PSP_PI', 'PSP_IC'];
let world: World;
/** The authorization server's own address, which only the gateway should use. */
let auth: string;
let clientId: string;
/** The header that the gateway would send for a client with the TPP's certificate. */
let forged: Readonly<Record<string, string>>;

beforeAll(async () => {
  const port = await freePort();
  auth = `http://127.0.0.1:${port}`;
  world = await World.start({ auth: { PORT: String(port) }, gateway: { AUTH_URL: auth } });
  const { certificate } = issueTestQwac(
    { name: 'Certified', organizationIdentifier, roles, days: 30 },
    testAuthority(makeLayout(world.dataDir)),
    Date.now(),
  );
  const registered = await send('POST', `${world.baseUrl}/sandbox/tpps`, {
    json: {
      name: 'Certified',
      redirectUris: ['https://tpp.example/callback'],
      roles,
      tokenEndpointAuthMethod: 'tls_client_auth',
      organizationIdentifier,
      certificate,
    },
  });
  ({ clientId } = parseJson<{ clientId: string }>(registered));
  forged = {
    'client-cert': clientCertValue(new X509Certificate(certificate).raw),
    'x-forwarded-for': '127.0.0.1',
  };
});
afterAll(async () => world.stop());

const askForToken = async (headers: Readonly<Record<string, string>>, at = auth): Promise<Answer> =>
  send('POST', `${at}/oauth2/token`, {
    form: new URLSearchParams({ grant_type: 'client_credentials', scope: 'PSP_AI', client_id: clientId }),
    headers,
  });
const gatewaySecret = (): string => secretIn(makeLayout(world.dataDir).secret('gateway-secret'));

describe('a client that bypasses the gateway and reaches the authorization server’s port (contract 4)', () => {
  it('gets no token with a forged Client-Cert header if the gateway’s secret is missing or wrong', async () => {
    const wrong = ['', 'x', 'x'.repeat(43), `${gatewaySecret()}x`, gatewaySecret().slice(0, -1)];
    for (const secret of [undefined, ...wrong]) {
      const answer = await askForToken({
        ...forged,
        ...(secret === undefined ? {} : { 'x-gateway-secret': secret }),
      });
      expect([secret, answer.status, parseJson(answer)['error']]).toEqual([secret, 403, 'access_denied']);
      expect(answer.text).not.toContain('access_token');
    }
    // The same certificate is accepted with the gateway's secret.
    expect((await askForToken({ ...forged, 'x-gateway-secret': gatewaySecret() })).status).toBe(200);
  });

  it('gets no page and no keys', async () => {
    for (const path of ['/sca/apps', '/oauth2/jwks', '/.well-known/oauth-authorization-server', '/nowhere'])
      expect([path, (await send('GET', `${auth}${path}`, { headers: forged })).status]).toEqual([path, 403]);
  });

  it('cannot pass a forged certificate or secret header through the gateway either', async () => {
    const secret = { 'x-gateway-secret': gatewaySecret() };
    const answer = await askForToken({ ...forged, ...secret }, world.baseUrl);
    expect([answer.status, parseJson(answer)['error']]).toEqual([401, 'invalid_client']);
    const wrong = await send('GET', `${world.baseUrl}/oauth2/jwks`, {
      headers: { 'x-gateway-secret': 'x'.repeat(43) },
    });
    expect(wrong.status).toBe(200);
  });
});
