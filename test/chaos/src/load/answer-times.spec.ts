import { describe, expect, it } from '@jest/globals';
import { callFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { AnswerTimes, describeSlow, requestName, type SlowAnswer } from './answer-times.js';

const stage = () => {
  let now = 0;
  const heard: SlowAnswer[] = [];
  const times = new AnswerTimes(
    () => now,
    (slow) => heard.push(slow),
  );
  const pass = (ms: number): void => {
    now += ms;
  };
  const answered = async (ms: number, meanwhile: () => void = () => undefined): Promise<string> =>
    times.measure(
      'GET /v1/accounts',
      async () => {
        pass(ms / 2);
        meanwhile();
        pass(ms / 2);
        return '503';
      },
      (status) => status,
    );
  const took = async (what: string, ms: number): Promise<string> =>
    times.measure(
      what,
      async () => {
        pass(ms);
        return '200';
      },
      (status) => status,
    );
  return { times, heard, pass, answered, took };
};

describe('the responses in a run (quality: "503 with Retry-After in under 2 s, no request hangs")', () => {
  it('are counted, and the slowest one is named', async () => {
    const { times, heard, answered } = stage();
    await answered(2000);
    await answered(300);
    expect(times.counts()).toMatchObject({ answers: 2, overTwo: 0, overTen: 0, slow: {}, violations: [] });
    expect(times.counts().maxWait).toMatchObject({ what: 'GET /v1/accounts', outcome: '503', seconds: 2 });
    expect(heard).toEqual([]);
  });

  it.each([
    [2000, 0, 0, 0],
    [2001, 1, 0, 0],
    [4000, 1, 0, 0],
    [4001, 1, 0, 1],
    [10_001, 1, 1, 1],
  ])(
    'that arrive after %i ms are counted: %i over two seconds, %i over ten, %i that fail the run',
    async (ms, two, ten, broken) => {
      const { times, answered } = stage();
      await answered(ms);
      const { overTwo, overTen, violations } = times.counts();
      expect([overTwo, overTen, violations.length]).toEqual([two, ten, broken]);
    },
  );

  it('are listed and grouped with the preceding fault', async () => {
    const { times, heard, pass, answered } = stage();
    await answered(2100);
    times.fault('freeze postgres');
    pass(400);
    await answered(2100);
    await answered(2100, () => times.fault('kill nats'));
    expect(heard.map(describeSlow)).toEqual([
      'GET /v1/accounts 503 after 2.1 s',
      'GET /v1/accounts 503 after 2.1 s, asked 0.4 s after freeze postgres',
      'GET /v1/accounts 503 after 2.1 s, asked 1.1 s before kill nats',
    ]);
    expect(times.counts().slow).toEqual({
      'GET /v1/accounts 503, no fault': 1,
      'GET /v1/accounts 503, freeze postgres': 1,
      'GET /v1/accounts 503, kill nats': 1,
    });
  });

  it('are counted with the reason if they are missing', async () => {
    const { times, pass } = stage();
    const lost = times.measure(
      'POST /oauth2/token',
      async () => {
        pass(10_050);
        throw new Error('the operation was aborted');
      },
      String,
    );
    await expect(lost).rejects.toThrow('the operation was aborted');
    expect(times.counts().violations).toEqual(['POST /oauth2/token the operation was aborted after 10.1 s']);
  });

  it('if late, are excused only for the time that the client was stopped', async () => {
    const { times, answered } = stage();
    await answered(4000, () => times.stoodStill(2000));
    expect(times.counts()).toMatchObject({ overTwo: 0, excused: 1, violations: [] });
    await answered(5000, () => times.stoodStill(900));
    expect(times.counts()).toMatchObject({
      overTwo: 1,
      excused: 1,
      violations: ['GET /v1/accounts 503 after 5.0 s, 0.9 s of it stopped'],
    });
  });

  it('are listed from a given time on if they are failures; a refusal is not a failure', async () => {
    const { times, answered, took, pass } = stage();
    await answered(10);
    pass(100);
    await answered(20);
    await took('GET /v1/accounts', 20);
    for (const error of [dependencyDown(), callFailed('resourceBlocked'), new Error('fetch failed')])
      await times.measure('svc.x', async () => Promise.reject(error), String).catch(() => undefined);
    expect(times.failuresSince(110)).toEqual([
      'GET /v1/accounts 503',
      'svc.x dependencyDown',
      'svc.x fetch failed',
    ]);
  });

  it('to a move of the clock may take only as long as the work that the move waits for', async () => {
    const { times, took } = stage();
    await took('POST /sandbox/clock', 7000);
    await took('POST /sandbox/clock', 9100);
    expect(times.counts()).toMatchObject({
      overTwo: 1,
      excused: 1,
      violations: ['POST /sandbox/clock 200 after 9.1 s'],
    });
  });

  it('to a page request that may hash a password are late after two seconds, and fail the run after the time limit of that call', async () => {
    const { times, took } = stage();
    await took('POST /sca/payment/ID/ID', 6500);
    await took('POST /sca/payment/ID/ID', 6501);
    expect(times.counts()).toMatchObject({
      overTwo: 2,
      violations: ['POST /sca/payment/ID/ID 200 after 6.5 s'],
    });
  });

  it('are named by method and route', () => {
    const id = '0190a5b2-0000-7000-8000-000000000001';
    expect(requestName('GET', `http://127.0.0.1:1/v1/payments/x/${id}/status?a=1`)).toBe(
      'GET /v1/payments/x/ID/status',
    );
    expect(requestName('POST', `http://h/oauth2/authorize/${'a_-'.repeat(14)}b`)).toBe(
      'POST /oauth2/authorize/ID',
    );
  });
});
