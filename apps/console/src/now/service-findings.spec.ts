import { describe, expect, it } from '@jest/globals';
import type { Pulse } from '@xs2a/contracts/pulse.contract';
import { serviceNames } from '@xs2a/contracts/services';
import type { InstanceState } from '@xs2a/doctor/instances';
import { at, group, others, running, silent, volume } from '../testing/observed.js';
import { findFindings, type Observed } from './findings.js';
import { hasStarted } from './service-findings.js';
import { startingMs } from './thresholds.js';

const find = (over: Partial<Observed>) =>
  findFindings({
    instances: [],
    volume: volume([]),
    waiting: {},
    startedForMs: 60_000,
    atMs: at('12:00:00').getTime(),
    ...over,
  });
const sentences = (over: Partial<Observed>) => find(over).map(({ level, sentence }) => [level, sentence]);
const wellOthers = others.filter(({ service }) => service !== 'auth');
const wellExceptPayments = others.filter(({ service }) => service !== 'payments');
const silentAuth: InstanceState = {
  ...silent,
  service: 'auth',
  instance: { ...silent.instance, service: 'auth' },
};

describe('what Now says about services', () => {
  it('names first the service that makes most calls fail', () => {
    const groups = [
      group({ status: 503, dependency: 'accounts', calls: 2 }),
      group({ status: 503, dependency: 'auth', calls: 1 }),
    ];
    const both = { instances: [silentAuth, silent, ...wellOthers], volume: volume(groups) };
    expect(find(both).map(({ sentence }) => sentence.split(' ')[0])).toEqual(['accounts', 'auth']);
    const more = [...groups, group({ operation: 'authorise', status: 503, dependency: 'auth', calls: 4 })];
    expect(find({ ...both, volume: volume(more) })[0]?.sentence).toMatch(/^auth does not answer: 5 calls of/);
  });

  it.each(serviceNames)('says who is affected by one that does not answer: %s', (service) => {
    const heard = running({ service: service === 'console' ? 'gateway' : 'console' });
    const [only] = find({ instances: [{ service, kind: 'missing' }, heard] });
    expect(only?.details[0]).toMatch(/^Affected: .+\.$/);
  });

  it('proposes no restart for a service that only waits for another part', () => {
    const notReady = running({}, ['postgres: down']);
    expect(find({ instances: [...others, notReady] })[0]?.repairs).toEqual([]);
    expect(find({ instances: [...others, { service: 'accounts', kind: 'missing' }] })[0]?.repairs).toEqual([
      { where: 'with Compose', command: 'docker compose restart accounts' },
      { where: 'in Kubernetes', command: 'kubectl -n xs2a rollout restart deployment/accounts' },
    ]);
  });

  it('says in one line what is not ready while the system starts, and names each service afterwards', () => {
    const instances: InstanceState[] = [
      silent,
      { service: 'payments', kind: 'missing' },
      ...wellExceptPayments,
    ];
    expect(sentences({ instances, startedForMs: undefined })).toEqual([
      ['attention', 'The system is starting: accounts, payments are not ready yet'],
    ]);
    expect(sentences({ instances: others, startedForMs: undefined })).toEqual([]);
    expect(sentences({ instances })).toEqual([
      ['problem', 'accounts does not answer'],
      ['problem', 'payments does not answer'],
    ]);
    expect(hasStarted(instances, startingMs - 1)).toBe(false);
    expect(hasStarted(instances, startingMs)).toBe(true);
    expect(hasStarted(others, 0)).toBe(true);
  });
});

it('names NATS, and no service, if no process is heard, not even the console', () => {
  const instances: InstanceState[] = [silent, { service: 'console', kind: 'missing' }];
  expect(sentences({ instances })).toEqual([
    ['problem', 'nats does not answer: no process is heard, not even this console'],
  ]);
  expect(sentences({ instances: [...instances.slice(0, 1), running({ service: 'console' })] })).toEqual([
    ['problem', 'accounts does not answer'],
  ]);
});

it('names in one line the processes that were killed and started again, after everything else', () => {
  const one = {
    instance: 'a',
    service: 'accounts',
    host: 'vm',
    pid: 7,
    lastPulseAt: at('11:58:46'),
  } as const;
  const killed = [one, { ...one, instance: 'b', pid: 8 }, { ...one, service: 'auth', pid: 9 } as const];
  const refused = group({ status: 400, code: 'FORMAT_ERROR', calls: 40 });
  const found = find({ killed, volume: volume([refused]) });
  expect(found.map(({ level, sentence }) => [level, sentence])).toEqual([
    ['attention', expect.stringMatching(/is refused in 40 of 40/)],
    ['attention', 'accounts, auth were started again: the process before was killed or crashed'],
  ]);
  expect(found[1]?.details[0]).toBe('accounts: vm, pid 7, last heard 2026-11-27 11:58:46 UTC');
  expect(sentences({ killed: [one] })).toEqual([
    ['attention', 'accounts was started again: the process before was killed or crashed'],
  ]);
});

describe('what Now says about a part that left calls unanswered', () => {
  const caller = (over: Partial<Pulse>): InstanceState =>
    running({ service: 'gateway', unanswered: { payments: 4 }, ...over });

  it('is a problem until it has answered for a while, and then recovering', () => {
    const seen = (missingMs: number, receivedMs?: number) =>
      sentences({ instances: [caller({ lastReplies: { payments: { missingMs, receivedMs } } })] });
    const isDown = [['problem', 'payments does not answer calls']];
    expect(seen(5000)).toEqual(isDown);
    expect(seen(5000, 6000)).toEqual(isDown);
    expect(seen(5000, 2001)).toEqual(isDown);
    expect(seen(5000, 2000)).toEqual([
      ['attention', 'payments is recovering: it answers again, and last missed a reply 5 s ago'],
    ]);
  });

  it('is a problem while any caller misses replies, or does not say whether it gets some', () => {
    const again = caller({ lastReplies: { payments: { missingMs: 30_000, receivedMs: 100 } } });
    const level = (...instances: InstanceState[]) => find({ instances }).map((one) => one.level);
    expect(level(again)).toEqual(['attention']);
    expect(level(again, caller({ lastReplies: { payments: { missingMs: 500 } } }))).toEqual(['problem']);
    expect(level(again, caller({}))).toEqual(['problem']);
  });

  it('is named no longer once it is heard and left no call for ten seconds, even if nobody has called it since', () => {
    const quiet = (missingMs: number) => caller({ lastReplies: { payments: { missingMs } } });
    const heard = running({ service: 'payments' });
    expect(sentences({ instances: [quiet(9_999), heard] })).toHaveLength(1);
    expect(sentences({ instances: [quiet(10_000), heard] })).toEqual([]);
    expect(sentences({ instances: [quiet(10_000)] })).toHaveLength(1);
    const ofBank = running({
      unanswered: { 'core-bank': 4 },
      lastReplies: { 'core-bank': { missingMs: 10_000 } },
    });
    const saysOfBank = (coreBank: { readonly ms: number } | undefined) =>
      sentences({ instances: [ofBank], waiting: { coreBank } });
    expect(saysOfBank({ ms: 3 })).toEqual([]);
    expect(saysOfBank(undefined)).toHaveLength(1);
  });

  it('says nothing about calls from before everything had started', () => {
    const lastReplies = { payments: { missingMs: 20_000, receivedMs: 10 } };
    const seen = (startedForMs: number) => sentences({ instances: [caller({ lastReplies })], startedForMs });
    expect(seen(20_000)).toEqual([]);
    expect(seen(20_001)).toHaveLength(1);
  });
});

describe('what Now says about the core bank', () => {
  it('names it by the console’s own question, once, and a slow one as attention', () => {
    const unanswered = running({ unanswered: { 'core-bank': 9 } });
    const says = (coreBank: { ms: number } | 'no answer' | undefined, ...instances: InstanceState[]) =>
      sentences({ instances, waiting: { coreBank } });
    expect(says('no answer')).toEqual([['problem', 'core-bank does not answer calls']]);
    expect(says('no answer', unanswered)).toHaveLength(1);
    expect(says({ ms: 999 })).toEqual([]);
    expect(says({ ms: 1300 })).toEqual([
      ['attention', 'core-bank is slow: it answered a question without effect in 1.3 s'],
    ]);
    expect(says(undefined, unanswered)).toEqual([['problem', 'core-bank does not answer calls']]);
  });
});

it('counts nothing as overdue right after the sandbox clock was moved, while the worker is heard', () => {
  const overdue = { status: 'ACCP', state: 'overdue', payments: 2, seconds: 86_400 } as const;
  const queue = { at: '2026-11-27T12:00:00.000Z', unfinished: [overdue], later: 0, payments: [] };
  expect(sentences({ waiting: { queue }, sinceClockMoveMs: 59_999 })).toEqual([]);
  expect(sentences({ waiting: { queue }, sinceClockMoveMs: 60_000 })).toEqual([
    ['problem', '2 payments are overdue: the oldest has been due for 1 d'],
  ]);
  const instances: InstanceState[] = [{ service: 'settlement-worker', kind: 'missing' }, running()];
  expect(sentences({ instances, waiting: { queue }, sinceClockMoveMs: 0 })).toHaveLength(2);
});
