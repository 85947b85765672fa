import { describe, expect, it } from '@jest/globals';
import { type ChaosReport, doubledIn, lostIn, reportText } from './report.js';

const report = (violations: readonly string[]): ChaosReport => ({
  seed: 7,
  seconds: 60,
  cluster: false,
  faults: { 'kill postgres': 2, freeze: 1 },
  acknowledged: { 'payments initiated': 1200 },
  retries: 3,
  restarts: 2,
  longest: { seconds: 4.21, what: 'GET /v1/accounts' },
  restAfterSeconds: 1.25,
  lost: lostIn(violations),
  doubled: doubledIn(violations),
  invariants: [{ number: 3, rule: 'every acknowledged resource readable', checked: '9 answers', violations }],
});

describe('the counts of a run (quality: reliability)', () => {
  it.each([
    ['payment 1 is lost: 404', 1, 0],
    ['paymentId 1 was acknowledged and is lost', 1, 0],
    ['payment 1 was signed and is RCVD', 1, 0],
    ['payment 1 was cancelled and is ACSC', 1, 0],
    ['consent 1 was authorised and is received', 1, 0],
    ['payment 1 was made twice: nobody was told of it', 0, 1],
    ['one key, two payments: 1, 2', 0, 1],
    ['the key of 1 made 2 too', 0, 1],
    ['the stream took the event at 5 twice', 0, 1],
    ['event 1 is there more than once', 0, 1],
    ['payment 1 (ACSC) has 2 holds, 1 posts, 0 voids, 1 × started, 1 × settled', 0, 1],
    ['payment 1 (ACSC) has 1 holds, 10 posts, 0 voids, 1 × started, 1 × settled', 0, 1],
    ['payment 1 (ACSC) has 1 holds, 1 posts, 0 voids, 1 × started, 2 × settled', 0, 1],
    ['payment 1 has 2 transfers of kind hold for its payment', 0, 1],
    ['payment 1 (ACSC) has 1 holds, 0 posts, 0 voids, 1 × started, 1 × settled', 0, 0],
    ['account …0001: 2500 left it, its payments say otherwise', 0, 0],
  ])('%s: %i lost, %i doubled', (sentence, lost, doubled) => {
    expect([lostIn([sentence]), doubledIn([sentence])]).toEqual([lost, doubled]);
  });

  it('are told with faults by kind, what was acknowledged, and each invariant with what broke it', () => {
    expect(reportText(report([])).split('\n')).toEqual([
      'seed 7, 60 s: npm run chaos -- --seed 7 --seconds 60',
      'faults survived: 3 (kill postgres 2, freeze 1)',
      'processes that ended and came back: 2; requests sent again: 3',
      'longest wait of a client: 4.2 s (GET /v1/accounts)',
      'acknowledged: payments initiated 1,200',
      'lost 0, doubled 0; nothing due left 1.3 s after the last fault',
      '(3) holds  every acknowledged resource readable [9 answers]',
    ]);
    const broken = reportText(
      report(['payment 1 is lost: 404', 'payment 2 was made twice: nobody was told of it']),
    );
    expect(broken).toContain('faults injected: 3');
    expect(broken).toContain('lost 1, doubled 1;');
    expect(broken).toContain(
      '(3) BROKEN every acknowledged resource readable [9 answers]\n      payment 1 is lost: 404',
    );
  });
});
