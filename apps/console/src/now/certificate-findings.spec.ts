import { describe, expect, it } from '@jest/globals';
import type { TppCertificate } from '../tpps/tpp-certificates.js';
import { others, running, volume } from '../testing/observed.js';
import { findFindings } from './findings.js';

const dayMs = 24 * 60 * 60_000;
const nowMs = Date.parse('2026-11-27T12:00:00.000Z');
const ending = (leftMs: number, tppId = 'sandbox-tpp'): TppCertificate => ({
  tppId,
  leftMs,
  endsAt: new Date(nowMs + leftMs),
  seenAt: new Date('2026-11-27T11:58:46.123Z'),
});
const found = (...certificates: readonly TppCertificate[]) =>
  findFindings({
    instances: [...others, running()],
    volume: volume([]),
    waiting: {},
    startedForMs: 60_000,
    atMs: nowMs,
    certificates,
  });
const says = (leftMs: number): readonly string[] | undefined =>
  found(ending(leftMs)).map(({ level, sentence }) => `${level}: ${sentence}`);

describe('the certificates of TPPs on the page Now', () => {
  it('are named with their end, the page of the TPP and the runbook', () => {
    expect(found(ending(5 * dayMs, 'a b'))).toEqual([
      {
        level: 'problem',
        sentence: 'The certificate of a b ends in 5 days (2026-12-02): its calls are refused from then on',
        details: ['last presented 2026-11-27 11:58:46 UTC'],
        place: '/tpps',
        evidence: { to: '/tpps/a%20b', text: 'Show the TPP' },
        runbook: 'certificate-ends',
      },
    ]);
  });

  it('need attention below 30 days, and are a problem below 7 days and after their end', () => {
    const sentence = 'The certificate of sandbox-tpp';
    expect(says(30 * dayMs)).toEqual([]);
    expect(says(30 * dayMs - 1)).toEqual([
      `attention: ${sentence} ends in 29 days (2026-12-27): its calls are refused from then on`,
    ]);
    expect(says(7 * dayMs)?.[0]).toMatch(/^attention: .* ends in 7 days /);
    expect(says(7 * dayMs - 1)?.[0]).toMatch(/^problem: .* ends in 6 days /);
    expect(says(2 * dayMs - 1)?.[0]).toMatch(/ ends in 1 day \(/);
    expect(says(dayMs - 1)?.[0]).toMatch(/ ends in less than a day \(2026-11-28\)/);
    expect(says(0)?.[0]).toMatch(/ ends in less than a day \(2026-11-27\)/);
    expect(says(-1)).toEqual([`problem: ${sentence} ended on 2026-11-27: its calls are refused`]);
  });

  it('are listed in the order of their ends, problems first', () => {
    expect(
      found(ending(-dayMs, 'a'), ending(dayMs, 'b'), ending(20 * dayMs, 'c'), ending(90 * dayMs, 'd')).map(
        ({ level, evidence }) => [level, evidence.to],
      ),
    ).toEqual([
      ['problem', '/tpps/a'],
      ['problem', '/tpps/b'],
      ['attention', '/tpps/c'],
    ]);
  });
});
