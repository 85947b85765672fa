import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { listCodes, listPaths, until } from '@xs2a/test-support/requests';
import { bodyOf } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { type Answer, parseJson, send } from '@xs2a/tpp-client/http';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';

let world: World;
let application: HttpReceiver;
let tpp: TppClient;
let token: string;
beforeAll(async () => {
  world = await World.ofLane();
  application = await HttpReceiver.start();
  const redirectUri = `${application.url}/callback`;
  const json = { name: 'Visited', redirectUris: [redirectUri], roles: ['PSP_AI', 'PSP_PI'] };
  const { clientId, clientSecret } = parseJson<{ clientId: string; clientSecret: string }>(
    await send('POST', `${world.baseUrl}/sandbox/tpps`, { json }),
  );
  tpp = new TppClient(world.baseUrl, { clientId, clientSecret, redirectUri });
  token = await tpp.applicationToken();
});
afterAll(async () => {
  await application.stop();
  await world.stop();
});

const visit = async (uri: unknown, requestId: string = randomUUID()): Promise<Answer> =>
  tpp.call('POST', '/sandbox/visits', token, { json: { uri }, headers: { 'x-request-id': requestId } });

describe('POST /sandbox/visits (contract 13)', () => {
  it('opens the address once, as a call of the TPP’s request log', async () => {
    application.behaviour = () => 302;
    application.answerHeaders = { location: '/failed' };
    const uri = `${application.url}/callback?error=access_denied`;
    const requestId = randomUUID();
    expect(bodyOf(await visit(uri, requestId), 200)).toEqual({ status: 302, location: '/failed' });
    expect(application.posts.map(({ path, headers }) => [path, headers['accept']])).toEqual([
      ['/callback?error=access_denied', 'text/html'],
    ]);
    const logged = await until(
      async () => tpp.call('GET', `/sandbox/requests/${requestId}`, token),
      ({ status }) => status === 200,
    );
    expect(bodyOf(logged, 200)).toMatchObject({ requests: [{ operation: 'visit', status: 200 }] });
  });

  it('returns why there was no answer', async () => {
    application.behaviour = () => 'close';
    expect(bodyOf(await visit(application.url), 200)).toEqual({
      failure: expect.stringMatching(/^no connection/),
    });
  });

  it('goes to no origin but those of the TPP’s redirect URIs', async () => {
    const { port } = new URL(application.url);
    const before = application.posts.length;
    for (const uri of [
      undefined,
      'callback',
      'file:///etc/passwd',
      'https://app.example/',
      `https://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      `http://127.0.0.1:${port}.app.example/`,
      `http://user:word@127.0.0.1:${port}/`,
      'http://127.0.0.1:1/',
      'http://a.0x/',
    ]) {
      const refused = await visit(uri);
      expect([uri, refused.status, listCodes(refused), listPaths(refused)]).toEqual([
        uri,
        400,
        ['FORMAT_ERROR'],
        ['uri'],
      ]);
    }
    expect(application.posts).toHaveLength(before);
  });

  it('refuses the 31st visit in a minute with Retry-After', async () => {
    application.behaviour = () => 204;
    const answers = await Promise.all(Array.from({ length: 31 }, async () => visit(application.url)));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused && listCodes(refused)).toEqual(['ACCESS_EXCEEDED']);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
