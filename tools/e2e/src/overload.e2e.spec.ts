// Lane: alone (memory and refusals under load of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@xs2a/sandbox/http';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { domesticPath, domesticPayment, initiate, until } from './requests.js';
import { World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => world.stop());

/** Resident memory of a service in MiB. */
const residentMiB = (service: 'gateway' | 'payments'): number => {
  const status = readFileSync(`/proc/${world.sandbox.services[service].pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
};

describe('overload (quality: reliability)', () => {
  it('a burst of 1,500 payments: each is created or refused with 503 and Retry-After; what was created is there; memory stays bounded', async () => {
    const tpp = world.tpp();
    const token = await tpp.applicationToken();
    const psu = await world.person();
    const body = domesticPayment(psu.accounts[0]?.iban ?? '');
    const before = residentMiB('gateway') + residentMiB('payments');
    const post = async (): Promise<{ status: number; retryAfter: string | null; text: string }> => {
      const { status, headers, text } = await send('POST', `${world.baseUrl}${domesticPath}`, {
        json: body,
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() },
      });
      return { status, retryAfter: headers.get('retry-after'), text };
    };
    const answers = await Promise.all(Array.from({ length: 1500 }, post));
    const created = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status, retryAfter }) => status === 503 && Number(retryAfter) >= 1);
    process.stderr.write(`counts: a burst of 1500: ${created.length} created, ${refused.length} refused\n`);
    expect(created.length + refused.length).toBe(1500);
    expect(created.length).toBeGreaterThan(0);
    const ids = new Set(created.map(({ text }) => (JSON.parse(text) as { paymentId: string }).paymentId));
    expect(ids.size).toBe(created.length);
    const waiting = [...ids];
    const askInTurn = async (): Promise<void> => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        const path = `${domesticPath}/${id}/status`;
        const answer = await until(
          async () => tpp.call('GET', path, token),
          ({ status }) => status !== 503,
        );
        expect([answer.status, answer.text]).toEqual([200, '{"transactionStatus":"RCVD"}']);
      }
    };
    await Promise.all(Array.from({ length: 8 }, askInTurn));
    expect(residentMiB('gateway') + residentMiB('payments') - before).toBeLessThan(300);
  });

  it('works at once when the burst is over', async () => {
    const tpp = world.tpp();
    const psu = await world.person();
    const token = await tpp.applicationToken();
    expect((await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''))).path).toContain(
      domesticPath,
    );
  });
});

describe('rolling restart (quality: reliability)', () => {
  it('SIGTERM drains: with a second instance there, no request fails while payments and consents are restarted', async () => {
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
      while (!restarted.signal.aborted) {
        const answers = [
          await tpp.call('GET', `${payment.path}/status`, token),
          await tpp.call('POST', domesticPath, token, {
            json: domesticPayment(psu.accounts[0]?.iban ?? ''),
            headers: { 'idempotency-key': randomUUID() },
          }),
          await tpp.call('GET', `/v1/consents/${randomUUID()}/status`, token),
        ];
        for (const { status } of answers) outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
      }
    };
    const asking = Array.from({ length: 8 }, ask);
    await world.sandbox.services.payments.restart();
    await world.sandbox.services.consents.restart();
    restarted.abort();
    await Promise.all(asking);
    await Promise.all(others.map(async (other) => other.stop()));
    // 403: the consents asked for do not exist; somebody has to be there to say so.
    expect([...outcomes.keys()].sort()).toEqual([200, 201, 403]);
  });
});
