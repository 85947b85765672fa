import { describe, expect, it } from '@jest/globals';
import { Clock } from '@xs2a/runtime/clock';
import { KnownBrowsers } from './known-browsers.js';

const secret = 'a secret of more than thirty-two characters';
const made = (
  changes: { AUTH_COOKIE_SECRET?: string; BASE_URL?: string } = {},
  clock = new Clock(true),
): KnownBrowsers =>
  new KnownBrowsers(clock, { AUTH_COOKIE_SECRET: secret, BASE_URL: 'https://bank.example', ...changes });
const sent = (setCookie: string): string => setCookie.split(';')[0] ?? '';

describe('a browser in which a PSU has completed SCA', () => {
  const browsers = made();
  const cookie = browsers.cookieFor(undefined, 'ivan');

  it('is recognised by its cookie even among other cookies, and keeps its id', () => {
    const id = browsers.find(`a=b; ${sent(cookie)}; c=d`, 'ivan');
    expect(id).toMatch(/^[\w-]{22}$/);
    expect(browsers.find(sent(browsers.cookieFor(sent(cookie), 'ivan')), 'ivan')).toBe(id);
    expect(browsers.find(sent(browsers.cookieFor(undefined, 'ivan')), 'ivan')).not.toBe(id);
  });

  it('is known for this PSU only, and neither the name nor the value of the cookie reveals the PSU', () => {
    expect(browsers.find(sent(cookie), 'maria')).toBeUndefined();
    const [name = '', value = ''] = sent(cookie).split('=');
    const [other = ''] = sent(browsers.cookieFor(undefined, 'maria')).split('=');
    expect(other).not.toBe(name);
    expect(browsers.find(`${other}=${value}`, 'maria')).toBeUndefined();
    expect(cookie).not.toContain('ivan');
  });

  it('is not recognised if the cookie is missing, was changed, or was signed with another secret', () => {
    const [name = '', value = ''] = sent(cookie).split('=');
    const [id = '', until = '', mac = ''] = value.split('.');
    const forged = [
      `${id}.${Number(until) + 1}.${mac}`,
      `${'x'.repeat(22)}.${until}.${mac}`,
      `${id}.${until}.${'x'.repeat(43)}`,
      `${id}.${until}`,
      '',
      'я'.repeat(43),
    ];
    expect(forged.map((one) => browsers.find(`${name}=${one}`, 'ivan'))).toEqual(forged.map(() => undefined));
    expect(made({ AUTH_COOKIE_SECRET: `${secret}!` }).find(sent(cookie), 'ivan')).toBeUndefined();
    expect(browsers.find(undefined, 'ivan')).toBeUndefined();
  });

  it('is forgotten after 180 days', () => {
    const clock = new Clock(true);
    const old = made({}, clock);
    const held = sent(old.cookieFor(undefined, 'ivan'));
    clock.raiseTo(179 * 86_400_000);
    expect(old.find(held, 'ivan')).toBeDefined();
    clock.raiseTo(181 * 86_400_000);
    expect(old.find(held, 'ivan')).toBeUndefined();
  });

  it('has a cookie that is hidden from scripts and other sites, and restricted to https if the bank uses https', () => {
    expect(cookie).toMatch(
      /^__Host-xs2a_known_.*; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(made({ BASE_URL: 'http://127.0.0.1:8080' }).cookieFor(undefined, 'ivan')).toMatch(
      /^xs2a_known_.*; SameSite=Lax$/,
    );
  });
});
