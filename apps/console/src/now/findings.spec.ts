import { describe, expect, it } from '@jest/globals';
import type { NotificationSummary, TppQueue } from '@xs2a/contracts/notifications.contract';
import type { InstanceState } from '@xs2a/doctor/instances';
import type { CallGroup, CallVolume } from '../calls-pages/call-groups.js';
import { at, group, others, running, silent, volume } from '../testing/observed.js';
import type { Waiting } from './backlog.js';
import { findFindings as find, type Observed } from './findings.js';

const findFindings = (observed: Pick<Observed, 'instances' | 'volume' | 'waiting'> & Partial<Observed>) =>
  find({ startedForMs: 60_000, atMs: at('12:00:00').getTime(), ...observed });
const sentences = (
  instances: readonly InstanceState[],
  calls = volume([]),
  waiting: Waiting = {},
): readonly (readonly [string, string])[] =>
  findFindings({ instances, volume: calls, waiting }).map(({ level, sentence }) => [level, sentence]);

describe('what the page Now says', () => {
  it('says nothing while every service answers and calls succeed', () => {
    expect(sentences([...others, running()], volume([group({ calls: 100 })]))).toEqual([]);
  });

  it('names a service of which no instance answers, the calls that fail because of it, and since when', () => {
    const failing = group({ status: 503, dependency: 'accounts', calls: 3, firstAt: at('11:58:58') });
    const [finding] = findFindings({
      instances: [...others, silent],
      volume: volume([failing]),
      waiting: {},
    });
    expect(finding).toMatchObject({
      level: 'problem',
      sentence:
        'accounts does not answer: 3 calls of initiatePayment failed (503) in five minutes, the first at 2026-11-27 11:58:58 UTC',
      details: [
        'Affected: every TPP and PSU: new payments, account data and confirmations of funds are refused.',
        'host-1, pid 7: silent for 1 min 14 s, since 2026-11-27 11:58:46 UTC',
      ],
      evidence: { to: '/calls?dependency=accounts' },
      runbook: 'service-does-not-answer',
      repairs: [
        { where: 'with npm start (it starts again by itself)', command: 'kill -9 7' },
        { where: 'with Compose', command: 'docker compose restart accounts' },
        { where: 'in Kubernetes', command: 'kubectl -n xs2a rollout restart deployment/accounts' },
      ],
    });
  });

  it('is less urgent while another instance answers', () => {
    expect(sentences([...others, silent, running({ instance: 'b' })])).toEqual([
      ['attention', 'accounts: 1 of 2 instances do not answer'],
    ]);
  });

  it('names a service that is missing, and one that is not ready with the reason', () => {
    expect(sentences([...others, { service: 'accounts', kind: 'missing' }])).toEqual([
      ['problem', 'accounts does not answer'],
    ]);
    const [finding] = findFindings({
      instances: [...others, running({}, ['postgres: down'])],
      volume: volume([]),
      waiting: {},
    });
    expect(finding).toMatchObject({
      sentence: 'accounts is not ready',
      details: [expect.stringMatching(/^Affected: /), 'host-1, pid 7: postgres: down'],
    });
  });

  it('names the core bank, which has no pulse, once three calls to it had no reply; one is no problem', () => {
    const waiting = (calls: number): InstanceState => running({ unanswered: { 'core-bank': calls } });
    expect(sentences([...others, waiting(2)])).toEqual([]);
    expect(sentences([...others, waiting(3)])).toEqual([['problem', 'core-bank does not answer calls']]);
  });

  it('names a silent service once, and not again because others wait for it', () => {
    const waiting = running({ service: 'payments', unanswered: { accounts: 12 } });
    const rest = others.filter(({ service }) => service !== 'payments');
    expect(sentences([...rest, waiting, silent])).toEqual([['problem', 'accounts does not answer']]);
  });

  it('names a TPP most of whose calls are refused, with its most frequent reason', () => {
    const refused = group({ status: 400, code: 'FORMAT_ERROR', path: 'instructedAmount.amount', calls: 40 });
    expect(sentences([...others, running()], volume([refused]))).toEqual([
      ['attention', 'sandbox-tpp is refused in 40 of 40 calls: FORMAT_ERROR at instructedAmount.amount'],
    ]);
    const also = group({ status: 401, code: 'TOKEN_EXPIRED', calls: 5 });
    expect(sentences([...others, running()], volume([refused, also, group({ calls: 5 })]))).toEqual([
      [
        'attention',
        'sandbox-tpp is refused in 45 of 50 calls: most often FORMAT_ERROR at instructedAmount.amount',
      ],
    ]);
  });

  it('says until when a TPP was refused that has made no call for a minute', () => {
    const refused = group({ status: 400, code: 'FORMAT_ERROR', calls: 40, lastAt: at('11:58:59') });
    expect(sentences([...others, running()], volume([refused]))).toEqual([
      ['attention', 'sandbox-tpp was refused in 40 of 40 calls until 2026-11-27 11:58:59 UTC: FORMAT_ERROR'],
    ]);
    const accepted = group({ calls: 2, lastAt: at('11:59:10') });
    expect(sentences([...others, running()], volume([refused, accepted]))[0]?.[1]).toMatch(
      /^sandbox-tpp is refused/,
    );
  });

  it('names TPPs by name and client id', () => {
    const refused = group({ status: 400, code: 'FORMAT_ERROR', calls: 40 });
    const queues = [failing({ dead: 1 })];
    const found = findFindings({
      instances: [...others, running()],
      volume: volume([refused]),
      waiting: { notifications: summaryOf(queues) },
      nameOf: (tppId) => `Alpha (${tppId})`,
    });
    expect(found.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^Alpha \(sandbox-tpp\) is refused in 40 of 40 calls/),
      expect.stringMatching(/^Alpha \(sandbox-tpp\) does not accept notifications/),
      '1 notification for Alpha (sandbox-tpp) is a dead letter',
    ]);
  });

  it('does not name a TPP with few refusals, or with many among even more calls, also those without a row', () => {
    const refused = (calls: number): CallGroup => group({ status: 400, code: 'FORMAT_ERROR', calls });
    const isNamed = (calls: CallVolume): boolean => sentences([...others, running()], calls).length > 0;
    expect(isNamed(volume([refused(19)]))).toBe(false);
    expect(isNamed(volume([refused(20)]))).toBe(true);
    expect(isNamed(volume([refused(20), group({ calls: 21 })]))).toBe(false);
    expect(isNamed(volume([refused(20)], { 'sandbox-tpp': { refused: 0, others: 21 } }))).toBe(false);
    expect(
      isNamed(volume([refused(20), group({ calls: 30 })], { 'sandbox-tpp': { refused: 20, others: 0 } })),
    ).toBe(true);
  });

  const queue = (over: Partial<TppQueue> = {}): TppQueue => ({
    tppId: 'sandbox-tpp',
    waiting: 0,
    failing: 0,
    dead: 0,
    ...over,
  });
  const failing = (over: Partial<TppQueue> = {}): TppQueue =>
    queue({
      failing: 1,
      oldestAt: '2026-11-27T11:50:00.000Z',
      reason: 'HTTP 500',
      uri: 'https://tpp.example/…',
      ...over,
    });
  const summaryOf = (
    tpps: readonly TppQueue[],
    unread: NotificationSummary['unread'] = [],
  ): NotificationSummary => ({
    tpps,
    totals: { tpps: tpps.length, waiting: 0, failing: 0, dead: 0, overdue: 0, unread: unread.length },
    unread,
  });
  const pushed = (
    tpps: readonly TppQueue[],
    unread: NotificationSummary['unread'] = [],
  ): ReturnType<typeof findFindings> =>
    findFindings({
      instances: [...others, running()],
      volume: volume([]),
      waiting: { notifications: summaryOf(tpps, unread) },
    });

  it('names a TPP whose receiver does not accept notifications, since when and why', () => {
    expect(pushed([failing({ waiting: 2 }), queue({ tppId: 'slow', waiting: 9 })])).toEqual([
      {
        level: 'attention',
        sentence:
          'sandbox-tpp does not accept notifications: 1 failing, 2 waiting, the oldest since 2026-11-27 11:50:00 UTC (HTTP 500)',
        details: ['receiver: https://tpp.example/…'],
        place: '/push',
        evidence: { to: '/push?tpp=sandbox-tpp', text: 'Show the notifications' },
        runbook: 'push-fails',
      },
    ]);
  });

  it('names dead letters with the command that sends them again', () => {
    const [one, several] = pushed([queue({ tppId: 'a b', dead: 1 }), queue({ dead: 2 })]);
    expect(one).toMatchObject({
      level: 'attention',
      sentence: '1 notification for a b is a dead letter',
      place: '/push',
      evidence: { to: '/push?tpp=a+b' },
      runbook: 'push-fails',
      repairs: [{ command: `xs2a notifications replay --tpp 'a b' --reason REASON` }],
    });
    expect(several?.sentence).toBe('2 notifications for sandbox-tpp are dead letters');
  });

  it('names five TPPs and counts the others, since a fault of the network concerns all receivers', () => {
    const many = Array.from({ length: 7 }, (_none, at) => failing({ tppId: `tpp-${at}`, dead: 1 }));
    const found = pushed(many);
    expect(found).toHaveLength(12);
    expect(found[5]).toMatchObject({
      sentence: '2 more TPPs do not accept notifications',
      evidence: { to: '/push' },
    });
    expect(found[11]?.sentence).toBe('2 more TPPs have dead letters');
    expect(pushed(many.slice(0, 6))[5]?.sentence).toBe('1 more TPP does not accept notifications');
    expect(pushed(many.slice(0, 5))).toHaveLength(10);
  });

  it('names changes that cannot be read, and says nothing if the notifications service did not answer', () => {
    const unread = [{ source: 'payments', resourceId: 'id', since: '2026-11-27T11:40:00.000Z' }];
    expect(pushed([], unread)).toMatchObject([
      {
        level: 'attention',
        sentence:
          'changes of 1 resource cannot be read: their notifications wait since 2026-11-27 11:40:00 UTC',
        evidence: { to: '/push' },
        runbook: 'push-fails',
      },
    ]);
    const instances = [...others, running()];
    expect(findFindings({ instances, volume: volume([]), waiting: {} })).toEqual([]);
  });

  it('lists problems before what needs attention', () => {
    const refused = group({ status: 400, code: 'FORMAT_ERROR', calls: 40 });
    const levels = sentences([...others, silent], volume([refused])).map(([level]) => level);
    expect(levels).toEqual(['problem', 'attention']);
  });

  const emptyQueue: Waiting['queue'] = {
    at: '2026-11-27T12:00:00.000Z',
    unfinished: [],
    later: 3,
    payments: [],
  };
  const nothing = { started: 1, failing: 0, deadLetters: 0, confirmedLate: 0, transactions: [] };
  const saysOf = (waiting: Waiting) => sentences([...others, running()], volume([]), waiting);

  it('names overdue payments with the time of the oldest, and nothing that is due now or later', () => {
    const group = { status: 'ACCP', payments: 2, seconds: 30 } as const;
    const due = { ...emptyQueue, unfinished: [{ ...group, state: 'due' as const }] };
    expect(saysOf({ queue: due, unfinished: nothing })).toEqual([]);
    const overdue = [
      { ...group, state: 'overdue' as const, seconds: 312 },
      { ...group, status: 'ACSP' as const, payments: 1, state: 'overdue' as const, seconds: 65 },
    ];
    expect(saysOf({ queue: { ...emptyQueue, unfinished: overdue } })).toEqual([
      ['problem', '3 payments are overdue: the oldest has been due for 5 min 12 s'],
    ]);
  });

  it('names settlements that fail, with their reasons, and dead letters', () => {
    const transaction = {
      paymentId: '01890a5d-ac96-774b-bcce-b302099a8057',
      number: null,
      failures: 2,
      startedAt: '2026-11-27T11:00:00.000Z',
      retryAt: '2026-11-27T12:01:00.000Z',
      reason: 'core-bank does not answer',
    };
    const unfinished = { ...nothing, started: 2, failing: 1, deadLetters: 2, transactions: [transaction] };
    const found = findFindings({
      instances: [...others, running()],
      volume: volume([]),
      waiting: { unfinished },
    });
    expect(found.map(({ sentence, details, runbook }) => [sentence, details, runbook])).toEqual([
      [
        'Settlement of 1 transaction fails and is tried again',
        ['01890a5d-ac96-774b-bcce-b302099a8057: core-bank does not answer'],
        'payments-do-not-settle',
      ],
      ['Settlement could not handle 2 events, which are dead letters', [], 'dead-letter'],
    ]);
  });

  it('names instant payments that were confirmed after their rejection, with the list and the runbook (contract E3.5)', () => {
    expect(saysOf({ unfinished: nothing })).toEqual([]);
    const late = (confirmedLate: number) =>
      findFindings({
        instances: [...others, running()],
        volume: volume([]),
        waiting: { unfinished: { ...nothing, confirmedLate } },
      });
    expect(late(1).map(({ sentence }) => sentence)).toEqual([
      '1 instant payment was confirmed after its rejection: the payee may have the money',
    ]);
    expect(late(2)).toMatchObject([
      {
        level: 'attention',
        sentence: '2 instant payments were confirmed after their rejection: the payee may have the money',
        evidence: { to: '/settlement#confirmed-late' },
        runbook: 'instant-answered-late',
      },
    ]);
  });
});
