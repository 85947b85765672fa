import { describe, expect, it } from '@jest/globals';
import { Clock } from '@xs2a/runtime/clock';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessToken } from '../checks/token/access-tokens.js';
import { CallContents } from './call-contents.js';

describe('what was sent in a call, in a sandbox with CALL_BODIES (docs/adr/0077)', () => {
  it('is kept of the first hundred calls of each TPP in a minute of real time', () => {
    let nowMs = Date.parse('2026-11-27T10:00:30Z');
    const clock = new Clock(true, () => nowMs);
    const contents = new CallContents(clock);
    const request = { method: 'GET', originalUrl: '/v1/consents', headers: {} } as FastifyRequest;
    const reply = { getHeaders: () => ({}) } as FastifyReply;
    const kept = (clientId: string, calls: number): number =>
      Array.from({ length: calls }, () =>
        contents.take(request, reply, {
          endpoint: 'listConsents',
          token: { clientId } as AccessToken,
        }),
      ).filter((content) => content !== undefined).length;
    expect([kept('tpp', 105), kept('other', 3), kept('tpp', 1)]).toEqual([100, 3, 0]);
    clock.raiseTo(3_600_000);
    expect(kept('tpp', 1)).toBe(0);
    nowMs += 30_000;
    expect(kept('tpp', 101)).toBe(100);
  });

  it('has at most 32 KiB of a body, even if it became longer by hiding secrets', () => {
    const contents = new CallContents(new Clock(true));
    const request = { method: 'POST', originalUrl: '/v1/consents', headers: {} } as FastifyRequest;
    request.body = Buffer.from(`{"code":${'a '.repeat(10_000)}`);
    const content = contents.take(request, { getHeaders: () => ({}) } as FastifyReply, {
      endpoint: 'createConsent',
      token: { clientId: 'tpp' } as AccessToken,
    });
    expect([content?.request.body?.length, content?.request.bodyCut]).toEqual([32_768, true]);
  });

  it.each(['', ' '])(
    'is never cut within a surrogate pair, because PostgreSQL would reject it (%j before the body)',
    (before) => {
      const contents = new CallContents(new Clock(true));
      const request = { method: 'POST', originalUrl: '/v1/consents', headers: {} } as FastifyRequest;
      request.body = Buffer.from(`${before}{${'"pin":1,'.repeat(1900)}"a":"${'😀'.repeat(400)}"}`);
      const content = contents.take(request, { getHeaders: () => ({}) } as FastifyReply, {
        endpoint: 'createConsent',
        token: { clientId: 'tpp' } as AccessToken,
      });
      expect([content?.request.bodyCut, content?.request.body?.isWellFormed()]).toEqual([true, true]);
    },
  );
});
