import { describe, expect, it } from '@jest/globals';
import type { AnswerCounts } from './load/answer-times.js';
import { type ChaosReport, doubledIn, holds, lostIn, reportText } from './report.js';

const answers: AnswerCounts = {
  answers: 4321,
  maxWait: {
    what: 'GET /v1/accounts',
    outcome: '503',
    seconds: 2.2,
    stoppedSeconds: 0,
    fault: { kind: 'freeze postgres', secondsBefore: 0.4 },
  },
  overTwo: 2,
  overTen: 0,
  slow: { 'GET /v1/accounts 503, freeze postgres': 2 },
  excused: 1,
  violations: [],
};
const report = (violations: readonly string[]): ChaosReport => ({
  seed: 7,
  seconds: 60,
  cluster: false,
  profile: 'sandbox',
  faults: { 'kill postgres': 2, freeze: 1 },
  acknowledged: { 'payments initiated': 1200 },
  uncertain: { 'payments initiated': 12 },
  retries: 3,
  restarts: 2,
  maxWait: {
    seconds: 4.21,
    what: 'GET /v1/accounts',
    tries: 9,
    maxTrySeconds: 1.81,
    failed: { 'answered 503': 8 },
  },
  payers: 5,
  answers,
  restAfterSeconds: 1.25,
  lost: lostIn(violations),
  doubled: doubledIn(violations),
  wronglyRefused: [],
  failedInRestarts: [],
  invariants: [{ number: 3, rule: 'every acknowledged resource readable', checked: '9 answers', violations }],
});

describe('the report of a run (quality: reliability)', () => {
  it.each([
    ['payment 1 is lost: 404', 1, 0],
    ['paymentId 1 was acknowledged but is lost', 1, 0],
    ['payment 1 was signed but is RCVD', 1, 0],
    ['payment 1 was cancelled but is ACSC', 1, 0],
    ['consent 1 was authorised but is received', 1, 0],
    ['payment 1 was created twice: no client knows it', 0, 1],
    ['one key, two payments: 1, 2', 0, 1],
    ['the idempotency key of 1 also created 2', 0, 1],
    ['the stream took the event at 5 twice', 0, 1],
    ['stream 1: an event occurs more than once', 0, 1],
    ['payment 1 (ACSC) has 2 holds, 1 posts, 0 voids, 1 × started, 1 × settled', 0, 1],
    ['payment 1 (ACSC) has 1 holds, 10 posts, 0 voids, 1 × started, 1 × settled', 0, 1],
    ['payment 1 (ACSC) has 1 holds, 1 posts, 0 voids, 1 × started, 2 × settled', 0, 1],
    ['payment 1 has 2 transfers of kind hold for its payment', 0, 1],
    ['payment 1 (ACSC) has 1 holds, 0 posts, 0 voids, 1 × started, 1 × settled', 0, 0],
    ['account …0001: 2500 left it, but its payments say otherwise', 0, 0],
  ])('counts %s as %i lost and %i duplicated', (sentence, lost, doubled) => {
    expect([lostIn([sentence]), doubledIn([sentence])]).toEqual([lost, doubled]);
  });

  it('contains faults by kind, acknowledged operations, and each invariant with its violations', () => {
    expect(reportText(report([])).split('\n')).toEqual([
      'seed 7, 60 s: npm run chaos -- --seed 7 --seconds 60',
      'faults survived: 3 (kill postgres 2, freeze 1)',
      'processes that ended and came back: 2; requests sent again: 3',
      'longest wait of a client: 4.2 s (GET /v1/accounts; tries 9, the longest 1.8 s)',
      '      8 × answered 503',
      'answers: 4,321, 2 after more than 2 s, 0 after more than 10 s (and 1 while the client stood still or the sandbox clock had due work done)',
      'longest answer: GET /v1/accounts 503 after 2.2 s, asked 0.4 s after freeze postgres',
      '      2 × GET /v1/accounts 503, freeze postgres',
      'acknowledged: payments initiated 1,200',
      'of these in seconds that were lost when the database went back: payments initiated 12',
      'lost 0, doubled 0, wrongly refused 0; nothing due left 1.3 s after the last fault',
      '(3) holds  every acknowledged resource readable [9 answers]',
    ]);
    expect(reportText({ ...report([]), cluster: true, payers: 40, streamMegabytes: 4 })).toContain(
      ': npm run chaos -- --seed 7 --seconds 60 --cluster --clients 40 --stream-mb 4\n',
    );
    const broken = reportText(
      report(['payment 1 is lost: 404', 'payment 2 was created twice: no client knows it']),
    );
    expect(broken).toContain('faults injected: 3');
    expect(broken).toContain('lost 1, doubled 1, wrongly refused 0;');
    expect(broken).toContain(
      '(3) BROKEN every acknowledged resource readable [9 answers]\n      payment 1 is lost: 404',
    );
  });

  it('fails a run with a wrongly refused payment even if every invariant holds', () => {
    const sentence = 'payment 1 of 300 was refused, although 300 was available at the time';
    const refused = { ...report([]), wronglyRefused: [sentence] };
    expect(holds(refused)).toBe(false);
    expect(reportText(refused)).toMatch(
      /wrongly refused 1; nothing due left 1\.3 s after the last fault\n {6}payment 1 of 300/,
    );
  });

  it('fails a run with a response that took too long even if every invariant holds', () => {
    expect(holds(report([]))).toBe(true);
    const slow = { ...report([]), answers: { ...answers, violations: ['GET /v1/accounts 503 after 4.1 s'] } };
    expect(holds(slow)).toBe(false);
    expect(reportText(slow)).toContain('BROKEN, too late: GET /v1/accounts 503 after 4.1 s');
  });
});
