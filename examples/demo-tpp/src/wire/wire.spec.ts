import { describe, expect, it } from '@jest/globals';
import { blank, blankBody, blankHeaders, blankPath, maxBodyChars } from './blank.js';
import { wireDrawer } from './drawer.js';
import { WireTap } from './wire-tap.js';
import { Wire } from './wire.js';

const bankUrl = 'https://bank.example';
const clock = { nowMs: () => Date.parse('2027-01-31T10:20:30Z') };
const tapWith = (answer: () => Response): WireTap => new WireTap(clock, async () => answer());
const ok = (): Response => Response.json({ ok: true }, { headers: { 'x-request-id': 'id-of-the-answer' } });
const drawn = (wire: Wire): string => wireDrawer(wire).text;

describe('secrets of HTTP calls', () => {
  it('are blanked in headers, which keep the scheme of the authentication', () => {
    const sent = {
      Authorization: 'Bearer s3cret',
      Cookie: 'a=s3cret',
      'Set-Cookie': 's3cret',
      DPoP: 's3cret',
    };
    const shown = Object.fromEntries(blankHeaders(Object.entries({ ...sent, 'PSU-ID': 'maria' })));
    expect(shown).toEqual({
      Authorization: `Bearer ${blank}`,
      Cookie: blank,
      'Set-Cookie': blank,
      DPoP: blank,
      'PSU-ID': 'maria',
    });
  });

  it('are blanked in JSON at any depth, where the code of an error is no secret', () => {
    const body = {
      access_token: 's3cret',
      more: [{ refresh_token: 's3cret', id_token: 's3cret', clientSecret: 's3cret', password: 's3cret' }],
      tppMessages: [{ code: 'FORMAT_ERROR' }],
    };
    const shown = blankBody(JSON.stringify(body), 'application/json; charset=utf-8');
    expect(shown).not.toContain('s3cret');
    expect(shown).toContain('"code": "FORMAT_ERROR"');
  });

  it.each([
    'code',
    'code_verifier',
    'refresh_token',
    'token',
    'client_secret',
    'client_assertion',
    'assertion',
  ])('are blanked in the parameter %s of a form and of an address', (name) => {
    const parameters = `scope=PSP_AI&${name}=s3cret`;
    expect(blankBody(parameters, 'application/x-www-form-urlencoded')).toBe(`scope=PSP_AI\n${name}=${blank}`);
    expect(blankPath(new URL(`${bankUrl}/a?${parameters}`))).toBe(`/a?scope=PSP_AI&${name}=${blank}`);
  });

  it.each([
    ['{"access_token": "s3cret"', 'application/json'],
    ['access_token: s3cret', 'text/plain'],
    ['<p>s3cret</p>', 'text/html'],
    ['s3cret', ''],
  ])('do not appear in a body that cannot be read: %s', (text, type) => {
    expect(blankBody(text, type)).not.toContain('s3cret');
  });
});

describe('the calls of a visitor', () => {
  it('are at most 50, of which bodies are cut at 8 kB', async () => {
    const long = 'x'.repeat(maxBodyChars + 1);
    const tap = tapWith(() => Response.json(long));
    const wire = new Wire();
    for (let index = 1; index <= 60; index += 1)
      await tap.during(wire, 'click', async () => tap.fetch(`${bankUrl}/${index}`));
    expect(wire.calls.length).toBeLessThanOrEqual(50);
    expect(wire.calls.at(-1)?.number).toBe(60);
    const sizes = wire.calls.map(({ call }) => call.answer?.body.length ?? 0);
    expect(Math.max(...sizes)).toBeLessThan(maxBodyChars + 30);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(200_000);
  });

  it('are never shown to another visitor, even if both call at the same time', async () => {
    const tap = tapWith(ok);
    const [mine, other] = [new Wire(), new Wire()];
    await Promise.all([
      tap.during(mine, 'mine', async () => tap.fetch(`${bankUrl}/mine`)),
      tap.during(other, 'other', async () => tap.fetch(`${bankUrl}/other`)),
      tap.fetch(`${bankUrl}/nobody`),
    ]);
    expect([mine, other].map(({ calls }) => calls.map(({ call }) => call.path))).toEqual([
      ['/mine'],
      ['/other'],
    ]);
  });

  it('include notifications, only about what the visitor initiated', async () => {
    const tap = tapWith(ok);
    const [mine, other] = [new Wire(), new Wire()];
    tap.during(mine, 'pay', () => tap.follow('payment-1'));
    tap.received('payment-1', { 'content-type': 'application/json' }, '{"transactionStatus":"ACSC"}');
    tap.received('payment-2', {}, '{}');
    expect(other.calls).toEqual([]);
    expect(mine.calls.map(({ call }) => [call.isPush, call.request.body])).toEqual([
      [true, '{\n  "transactionStatus": "ACSC"\n}'],
    ]);
  });

  it('include one that the bank did not answer', async () => {
    const tap = new WireTap(clock, async () => Promise.reject(new TypeError('fetch failed')));
    const wire = new Wire();
    await expect(tap.during(wire, 'pay', async () => tap.fetch(bankUrl))).rejects.toThrow('fetch failed');
    expect(drawn(wire)).toContain('The bank did not answer.');
  });

  it('leave request and answer unread for the client', async () => {
    const bodies: string[] = [];
    const tap = new WireTap(clock, async (input, init) => {
      bodies.push(await new Request(input, init).text());
      return ok();
    });
    const call = async (): Promise<Response> => tap.fetch(bankUrl, { method: 'POST', body: '{"a":1}' });
    const response = await tap.during(new Wire(), 'pay', call);
    expect(bodies).toEqual(['{"a":1}']);
    expect(await response.json()).toEqual({ ok: true });
  });
});

describe('the drawer', () => {
  it('shows calls newest first, below what the visitor did', async () => {
    const tap = tapWith(ok);
    const wire = new Wire();
    const call = async (path: string): Promise<Response> => tap.fetch(`${bankUrl}${path}`);
    await tap.during(wire, 'You opened /accounts', async () =>
      call('/first').then(async () => call('/second')),
    );
    await tap.during(wire, 'You sent the form /pay', async () => call('/third'));
    const shown = drawn(wire);
    const order = [...shown.matchAll(/<h2>([^<]+) <|class="path">([^<]+)/g)];
    expect(order.map(([, click, path]) => click ?? path)).toEqual([
      'You sent the form /pay',
      '/third',
      'You opened /accounts',
      '/second',
      '/first',
    ]);
    expect(shown).toContain('3 calls');
    expect(shown).toContain('id-of-the-answer');
    expect(shown).toContain('10:20:30');
  });

  it('escapes whatever a call contains', async () => {
    const attack = '<script>alert(1)</script>';
    const tap = tapWith(() => Response.json({ text: attack }, { headers: { 'x-request-id': attack } }));
    const wire = new Wire();
    await tap.during(wire, attack, async () =>
      tap.fetch(`${bankUrl}/?q=${attack}`, { method: 'POST', body: attack, headers: { 'x-a': attack } }),
    );
    expect(drawn(wire)).not.toContain('<script');
    expect(drawn(wire)).toContain('&lt;script&gt;alert(1)');
  });
});
