import { describe, expect, it } from '@jest/globals';
import type { OwnNotification } from '@xs2a/contracts/push/own-notifications.contract';
import { pushPage } from './push-page.js';

const session = { csrf: 'csrf-token', tpp: { clientId: 'tpp', clientSecret: 'secret' } };
const one: OwnNotification = {
  notificationId: 'f0a1c5de-7d43-5b0e-8f0a-3f1c2b9d6e11',
  resourceType: 'payment',
  resourceId: '2f1f9a52-4b7e-4a0c-9a3d-7c1c5a0b8d22',
  status: 'ACSC',
  uri: 'https://tpp.example/push?"><img src=x>',
  state: 'waiting',
  createdAt: '2026-11-20T09:30:00.000Z',
  attempts: [{ time: '2026-11-20T09:30:01.000Z', answer: 'HTTP 500' }],
  body: '{"paymentId":"<b>"}',
};
const shown = (changes: Partial<OwnNotification>): string =>
  pushPage({ session, notifications: [{ ...one, ...changes }] }).text;

describe('the page Push of the workspace', () => {
  it.each([
    ['waiting', 'dead-letter'],
    ['delivered', 'replay'],
    ['deadLetter', 'replay'],
  ] as const)('offers for a notification in state %s only %s', (state, action) => {
    const text = shown({ state });
    expect([...text.matchAll(/name="action" value="([^"]+)"/g)].map(([, value]) => value)).toEqual([action]);
    expect(text).toContain('name="csrf" value="csrf-token"');
  });

  it('escapes the address and the body', () => {
    const text = shown({});
    expect(text).not.toContain('<img');
    expect(text).not.toContain('"<b>"');
  });

  it('shows each attempt, and the signature only after the first', () => {
    expect(shown({})).toContain('HTTP 500');
    expect(shown({})).not.toContain('X-JWS-Signature');
    expect(shown({ signature: 'head..sign' })).toContain('head..sign');
    expect(shown({ attempts: [] })).toContain('Not sent yet');
  });
});
