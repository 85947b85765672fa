import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { World } from '@xs2a/test-support/world';
import { WorkspaceUser } from './workspace-user.js';

let world: World;
beforeAll(async () => {
  const settings = { SANDBOX_CLOCK: 'fixed' };
  world = await World.start({ gateway: settings, portal: settings });
}, 90_000);
afterAll(async () => {
  await world.stop();
});

describe('the workspace of a sandbox that many applications share (contract 13)', () => {
  it('is closed to the clients that belong to everybody, and open to registered ones', async () => {
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

  it('says that nobody can move the clock, and what to do instead', async () => {
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
