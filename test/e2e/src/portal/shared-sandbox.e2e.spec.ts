// Lane: long (a part of the portal, with applications of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { homeCurrency } from '@xs2a/test-support/home';
import { listCodes } from '@xs2a/test-support/requests';
import { openPerson } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { WorkspaceUser } from './workspace-user.js';

let world: World;
beforeAll(async () => {
  const settings = { SANDBOX_CLOCK: 'fixed' };
  world = await World.start({ gateway: settings, portal: settings });
}, 90_000);
afterAll(async () => {
  await world.stop();
});

describe('a sandbox that many applications share (contract 13)', () => {
  it('refuses the TPPs of the fixtures in the workspace, and admits a registered TPP', async () => {
    const everybody = new WorkspaceUser(world.baseUrl, {
      clientId: 'sandbox-tpp',
      clientSecret: 'sandbox-tpp-secret',
    });
    expect(await everybody.token()).toBeDefined();
    const refused = await everybody.signIn();
    expect(refused.status).toBe(200);
    const text = await refused.text();
    expect(text).toContain('This client belongs to all users of the sandbox');
    expect(text).not.toContain('sandbox-tpp-secret');
    expect((await everybody.get('/workspace')).status).toBe(303);

    const own = await WorkspaceUser.register(world.baseUrl, 'My shop');
    expect((await own.signIn()).headers.get('location')).toBe('/workspace');
    expect((await own.get('/workspace')).status).toBe(200);
  });

  it('returns 404 to a TPP that changes a person, an account or a TPP of others, as if it did not exist', async () => {
    const roles = ['PSP_AI', 'PSP_PI'] as const;
    const [owner, other] = [await world.newTpp(roles), await world.newTpp(roles)];
    const { psuId, accounts } = await openPerson(owner, '10.00');
    const { iban = '' } = accounts[0] ?? {};
    const answers = async (tpp: TppClient, of: { iban: string; psuId: string; clientId: string }) => {
      const token = await tpp.applicationToken('PSP_AI');
      const post = async (path: string, json: object, method: 'POST' | 'PATCH' = 'POST') =>
        tpp.call(method, path, token, { json });
      return [
        await post(`/sandbox/accounts/${of.iban}/deposit`, { amount: '1.00', currency: homeCurrency }),
        await post(`/sandbox/accounts/${of.iban}`, { status: 'blocked' }, 'PATCH'),
        await post('/sandbox/simulate', { psuId: of.psuId, outcome: 'slow' }),
        await post(`/sandbox/tpps/${of.clientId}`, { status: 'blocked' }, 'PATCH'),
      ];
    };
    const own = { iban, psuId, clientId: owner.credentials.clientId };
    const unknown = { iban: 'BG00XSBK00000000000000', psuId: 'psu-0', clientId: 'tpp-0' };
    const [refused, absent] = [await answers(other, own), await answers(other, unknown)];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(refused.map(({ text }) => text)).toEqual(absent.map(({ text }) => text));
    const ofEverybody = { iban: 'BG00XSBK00000000000000', psuId: 'ivan', clientId: 'sandbox-tpp' };
    expect((await answers(other, ofEverybody)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await answers(owner, own)).map(({ status }) => status)).toEqual([201, 200, 200, 200]);
  });

  it('returns 403 SERVICE_BLOCKED to a TPP of the fixtures that tries to block itself', async () => {
    const fixture = world.tpp();
    const token = await fixture.applicationToken();
    const block = async (json: object) =>
      fixture.call('PATCH', `/sandbox/tpps/${fixture.credentials.clientId}`, token, { json });
    const blocked = await block({ status: 'blocked' });
    expect([blocked.status, listCodes(blocked)]).toEqual([403, ['SERVICE_BLOCKED']]);
    expect((await block({ status: 'absent' })).status).toBe(400);
    expect((await fixture.call('GET', '/sandbox/tpp', token)).status).toBe(200);
  });

  it('states in the workspace that nobody can move the clock, and what to do instead', async () => {
    const own = await WorkspaceUser.register(world.baseUrl, 'My shop');
    await own.signIn();
    const text = await (await own.get('/workspace/clock')).text();
    expect(text).toContain('nobody can move its clock');
    expect(text).not.toContain('name="advance"');
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1];
    const moved = await own.post('/workspace/clock', { advance: 'P1D' }, csrf);
    expect(await moved.text()).toContain('SERVICE_BLOCKED');
  });
});
