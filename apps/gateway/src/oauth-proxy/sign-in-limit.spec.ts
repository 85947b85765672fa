import { describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { SignInLimit } from './sign-in-limit.js';

/** Returns how many of 6,001 simultaneous registrations from this sender the limit admits. */
const admitted = (sender: Partial<Pick<FastifyRequest, 'isFromProxy' | 'ip' | 'headers'>>): number => {
  const limit = new SignInLimit({ nowMs: () => 0 }, true);
  const request = { isFromProxy: false, ip: '10.0.0.2', headers: {}, ...sender } as FastifyRequest;
  const waits = Array.from({ length: 6001 }, () => limit.secondsToWaitForRegistration(request));
  return waits.filter((wait) => wait === undefined).length;
};
const named = (address: string) => ({ isFromProxy: true, headers: { 'x-forwarded-for': address } });

describe('the limit on registrations of TPPs (contract 13)', () => {
  it('admits 60 registrations at once from a public address, or from a private address that the proxy names', () => {
    for (const address of ['8.8.4.7', '10.0.0.7', 'fd00::7']) expect(admitted(named(address))).toBe(60);
    expect(admitted({ ip: '8.8.4.7' })).toBe(60);
  });

  it('admits 6000 registrations at once from a private address that calls the gateway directly, as the portal does', () => {
    for (const ip of ['10.0.0.7', 'fd00::7', '::ffff:10.0.0.7']) expect(admitted({ ip })).toBe(6000);
  });

  it('admits 6000 registrations at once from all clients of a proxy that does not name its clients', () => {
    expect(admitted({ isFromProxy: true })).toBe(6000);
  });
});
