// Lane: long, alone (measures memory and refusals under its own load).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, parseJson, send } from '@xs2a/tpp-client/http';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { signal } from './frozen-processes.js';
import { runLoad } from '@xs2a/test-support/load';
import { domesticPath, domesticPayment, initiate, until } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';

let world: World;
beforeAll(async () => {
  // The per-TPP limit would stop the burst at the gateway, so here one TPP represents many.
  world = await World.start({ gateway: { SHARE_REQUESTS: '2000' } });
});
afterAll(async () => world.stop());

type Burdened = 'gateway' | 'payments';
const ofProcess = (service: Burdened, file: 'status' | 'environ'): string =>
  readFileSync(`/proc/${world.sandbox.services[service].pid}/${file}`, 'utf8');

/** Returns the peak resident memory of a service, in MiB. */
const peakMiB = (service: Burdened): number =>
  Number(/VmHWM:\s+(\d+)/.exec(ofProcess(service, 'status'))?.[1]) / 1024;

/**
 * Returns the number of calls that `payments` has refused without starting them, because they exceeded its
 * concurrency limit or arrived after the caller had given up. The machine's load determines the split between the
 * two.
 */
const shedByPayments = async (): Promise<number> => {
  const port = /(?:^|\0)HEALTH_PORT=(\d+)/.exec(ofProcess('payments', 'environ'))?.[1];
  const { text } = await send('GET', `http://127.0.0.1:${port}/metrics`);
  const counts = text.matchAll(/^xs2a_call_seconds_count\{.*outcome="(?:shed|late)".*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
};

const isRefusal = ({ status, headers }: Answer): boolean =>
  status === 503 && Number(headers.get('retry-after')) >= 1;

/** Runs the work for up to eight items at a time. */
const inTurn = async <Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> => {
  const waiting = [...items];
  const one = async (): Promise<void> => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, one));
};

describe('overload (quality: reliability)', () => {
  it('handles a burst of 1,000 payments on a hung service: excess payments are refused with Retry-After, memory stays bounded, and retries create each payment once', async () => {
    const tpp = world.tpp();
    const token = await tpp.applicationToken();
    const psu = await world.person();
    const body = domesticPayment(psu.accounts[0]?.iban ?? '');
    await initiate(tpp, token, body);
    const before = peakMiB('gateway') + peakMiB('payments');
    const post = async (key: string): Promise<Answer> =>
      send('POST', `${world.baseUrl}${domesticPath}`, {
        json: body,
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
      });
    const keys = Array.from({ length: 1000 }, () => randomUUID());
    const service = [world.sandbox.services.payments.pid];
    const goOn = (): void => signal(service, 'SIGCONT');
    let answered = 0;
    signal(service, 'SIGSTOP');
    const first = await Promise.all(
      keys.map(async (key) => {
        const answer = await post(key);
        answered += 1;
        // The gateway gave up on each of these calls, so they are all waiting for the service, which accepts
        // 512 at once.
        if (answered === 700) goOn();
        return [key, answer] as const;
      }),
    ).finally(goOn);
    const refused = first.filter(([, { status }]) => status !== 201);
    // The gateway itself issues the last refusals; at that point, the payments service may not have read its
    // backlog yet.
    const shed = await until(shedByPayments, (calls) => calls > 0);
    const grown = peakMiB('gateway') + peakMiB('payments') - before;
    process.stderr.write(
      `counts: a burst of 1000: ${1000 - refused.length} created, ${refused.length} refused, ${shed} shed, ${Math.round(grown)} MiB more\n`,
    );
    expect(refused.filter(([, answer]) => !isRefusal(answer))).toEqual([]);
    expect(shed).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThanOrEqual(700);
    expect(grown).toBeLessThan(300);

    const answers = first.filter(([, { status }]) => status === 201).map(([, answer]) => answer);
    await inTurn(refused, async ([key]) => {
      answers.push(
        await until(
          async () => post(key),
          (answer) => !isRefusal(answer),
        ),
      );
    });
    expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
    const ids = new Set(answers.map((answer) => parseJson<{ paymentId: string }>(answer).paymentId));
    expect(ids.size).toBe(1000);
    await inTurn([...ids], async (id) => {
      const path = `${domesticPath}/${id}/status`;
      const answer = await until(
        async () => tpp.call('GET', path, token),
        ({ status }) => status !== 503,
      );
      expect([answer.status, answer.text]).toEqual([200, '{"transactionStatus":"RCVD"}']);
    });
  }, 120_000);

  it('leaves the service working immediately afterwards', async () => {
    const tpp = world.tpp();
    const psu = await world.person();
    const token = await tpp.applicationToken();
    expect((await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''))).path).toContain(
      domesticPath,
    );
  });
});

describe('rolling restart (quality: reliability)', () => {
  it('drains on SIGTERM: with a second instance, no request fails while payments and consents restart', async () => {
    const tpp = world.tpp();
    const psu = await world.person();
    const token = await tpp.applicationToken();
    const payment = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''));
    const others = [
      await world.sandbox.startAnother('payments'),
      await world.sandbox.startAnother('consents'),
    ];
    const outcomes = new Map<number, number>();
    const restarted = new AbortController();
    const ask = async (): Promise<void> => {
      const answers = [
        await tpp.call('GET', `${payment.path}/status`, token),
        await tpp.call('POST', domesticPath, token, {
          json: domesticPayment(psu.accounts[0]?.iban ?? ''),
          headers: { 'idempotency-key': randomUUID() },
        }),
        await tpp.call('GET', `/v1/consents/${randomUUID()}/status`, token),
      ];
      for (const { status } of answers) outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
    };
    const asking = runLoad(ask, { stop: restarted.signal, clients: 8 });
    await world.sandbox.services.payments.restart();
    await world.sandbox.services.consents.restart();
    restarted.abort();
    await asking;
    await Promise.all(others.map(async (other) => other.stop()));
    // 403 means that the consents do not exist; only a running instance can report that.
    expect([...outcomes.keys()].sort()).toEqual([200, 201, 403]);
  });
});
