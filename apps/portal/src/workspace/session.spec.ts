import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { CompactEncrypt } from 'jose';
import { type PortalConfig, workspaceSecrets } from '../config.js';
import { Sessions, sessionSeconds } from './session.js';

const secrets = (...values: string[]): PortalConfig =>
  ({ PORTAL_SECRET: values, BASE_URL: 'https://bank.example' }) as unknown as PortalConfig;
const [one, two] = ['1'.repeat(32), '2'.repeat(32)] as const;
const tpp = { clientId: 'tpp-1', clientSecret: 'secret-1' };

afterEach(() => {
  jest.useRealTimers();
});

describe('a session of the workspace', () => {
  it('is opened by every instance that has the secret', async () => {
    const session = new Sessions(secrets(one)).begin(tpp);
    const cookie = await new Sessions(secrets(one)).seal(session);
    expect(await new Sessions(secrets(one)).open(cookie)).toEqual(session);
    expect(await new Sessions(secrets(two)).open(cookie)).toBeUndefined();
  });

  it('is found among other cookies by the name of its own', async () => {
    const sessions = new Sessions(secrets(one));
    const session = sessions.begin(tpp);
    const cookie = await sessions.seal(session);
    expect(await sessions.find(`a=b; __Host-workspace=${cookie}; c=d`)).toEqual(session);
    for (const header of [undefined, '', `workspace=${cookie}`, '__Host-workspace=x'])
      expect(await sessions.find(header)).toBeUndefined();
  });

  it('survives a rotation of the secret', async () => {
    const old = new Sessions(secrets(one));
    const rotating = new Sessions(secrets(two, one));
    const cookie = await old.seal(old.begin(tpp));
    expect((await rotating.open(cookie))?.tpp).toEqual(tpp);
    expect(await old.open(await rotating.seal(rotating.begin(tpp)))).toBeUndefined();
  });

  it('ends an hour after it began', async () => {
    jest.useFakeTimers({ now: Date.parse('2026-11-20T09:30:00Z') });
    const sessions = new Sessions(secrets(one));
    const cookie = await sessions.seal(sessions.begin(tpp));
    jest.advanceTimersByTime((sessionSeconds - 1) * 1000);
    expect(await sessions.open(cookie)).toBeDefined();
    jest.advanceTimersByTime(2000);
    expect(await sessions.open(cookie)).toBeUndefined();
  });

  it('has a CSRF token of its own', () => {
    const sessions = new Sessions(secrets(one));
    expect(sessions.begin(tpp).csrf).not.toBe(sessions.begin(tpp).csrf);
    expect(sessions.begin().csrf).toHaveLength(32);
  });

  it('is refused in any other form', async () => {
    const sessions = new Sessions(secrets(one));
    const foreign = await new CompactEncrypt(new TextEncoder().encode('{"csrf":"x"}'))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(new Uint8Array(32));
    for (const cookie of ['', 'a', 'a.b.c', 'a.b.c.d.e', foreign])
      expect(await sessions.open(cookie)).toBeUndefined();
  });

  it('needs the setting PORTAL_SECRET', () => {
    expect(() => workspaceSecrets({ PORTAL_SECRET: undefined })).toThrow(
      'PORTAL_SECRET is missing: the workspace needs it, because PORTAL is sandbox',
    );
  });
});
