// Lane: nightly (services are frozen).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServiceName } from '@xs2a/contracts/services';
import {
  authorised,
  consentBody,
  dayFrom,
  domesticPayment,
  sandboxNow,
  until,
} from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { send } from '@xs2a/tpp-client/http';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeOperator } from '../testing/command-process.js';

let world: World;
let psu: FreshPsu;
beforeAll(async () => {
  world = await World.start();
  psu = await world.person('100.00');
}, 120_000);
afterAll(async () => world.stop(), 30_000);

describe('doctor', () => {
  it('names a service of which no instance answers, skips what needs it, and passes once it answers again', async () => {
    const { xs2a } = makeOperator(world.dataDir);
    // The console has seen the process once it is listed as a start.
    await until(
      async () => xs2a('doctor'),
      ({ stdout }) => /^✓ restarts .* payments 1/m.test(stdout),
    );
    const { payments } = world.sandbox.services;
    payments.kill('SIGSTOP');
    const frozen = await xs2a('doctor').finally(() => payments.kill('SIGCONT'));
    expect([frozen.code, frozen.stdout.match(/^[✗–] .*$/gm)]).toEqual([
      1,
      [
        expect.stringMatching(/^✗ payments +does not answer: .*pid \d+, silent since /),
        expect.stringMatching(/^– stream payments +needs payments$/),
        expect.stringMatching(/^– relay payments +needs payments$/),
        expect.stringMatching(/^– projections +needs payments$/),
        expect.stringMatching(/^– leader payments +needs payments$/),
      ],
    ]);
    await until(
      async () => xs2a('doctor'),
      ({ code }) => code === 0,
      10,
    );
  }, 60_000);
});

describe('doctor, while NATS hangs', () => {
  it('names it and ends by itself', async () => {
    const { xs2a } = makeOperator(world.dataDir);
    const { pid } = world.sandbox.nats;
    process.kill(pid, 'SIGSTOP');
    const frozen = await xs2a('doctor').finally(() => process.kill(pid, 'SIGCONT'));
    expect([frozen.code, frozen.stdout]).toEqual([1, expect.stringMatching(/^✗ nats /m)]);
    await until(
      async () => xs2a('doctor'),
      ({ code }) => code === 0,
      20,
    );
  }, 90_000);
});

interface LogLine {
  readonly msg: string;
  readonly level: string;
  readonly requestId?: string;
  readonly dependency?: string;
}
const gatewayLine = (requestId: string): LogLine | undefined =>
  readFileSync(join(world.dataDir, 'logs/gateway.log'), 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []))
    .find((line) => line.msg === 'call' && line.requestId === requestId);

const unansweredBy = async (caller: ServiceName, callee: ServiceName): Promise<number> => {
  const environment = readFileSync(`/proc/${world.sandbox.services[caller].pid}/environ`, 'utf8');
  const port = /(?:^|\0)HEALTH_PORT=(\d+)/.exec(environment)?.[1];
  const { text } = await send('GET', `http://127.0.0.1:${port}/metrics`);
  const line = new RegExp(`^xs2a_calls_unanswered_total\\{.*callee="${callee}".*\\} (\\d+)$`, 'm');
  return Number(line.exec(text)?.[1] ?? 0);
};

describe('the log line and the metric of a call that is answered 503', () => {
  const post = async (path: string, scope: string, json: unknown, requestId: string) => {
    const token = await world.tpp().applicationToken(scope);
    return send('POST', `${world.baseUrl}${path}`, {
      json,
      headers: { authorization: `Bearer ${token}`, 'psu-id': psu.psuId, 'x-request-id': requestId },
    });
  };
  const iban = (): string => psu.accounts[0]?.iban ?? '';
  const payment = async (requestId: string) =>
    post('/v1/payments/domestic-credit-transfers-bgn', 'PSP_PI', domesticPayment(iban()), requestId);
  const consent = async (requestId: string) =>
    post('/v1/consents', 'PSP_AI', consentBody([iban()], dayFrom(await sandboxNow(world), 30)), requestId);

  it.each([
    ['payments', 'gateway', payment],
    ['accounts', 'payments', payment],
    ['consents', 'gateway', consent],
  ] as const)(
    'name %s, which %s called',
    async (frozen, caller, request) => {
      const before = await unansweredBy(caller, frozen);
      const requestId = randomUUID();
      const { services } = world.sandbox;
      services[frozen].kill('SIGSTOP');
      let status: number;
      try {
        ({ status } = await request(requestId));
      } finally {
        services[frozen].kill('SIGCONT');
      }
      expect(status).toBe(503);
      const line = await until(
        async () => gatewayLine(requestId),
        (found) => found !== undefined,
      );
      expect(line).toMatchObject({ level: 'warn', dependency: frozen });
      expect(await unansweredBy(caller, frozen)).toBeGreaterThan(before);
    },
    60_000,
  );

  it('name funds-confirmation and auth, which the gateway called', async () => {
    const { access_token: token } = await authorised(world, world.tpp(), psu, 'PSP_IC');
    const body = { account: { iban: iban() }, instructedAmount: { currency: 'BGN', amount: '1.00' } };
    const { services } = world.sandbox;
    const asked = [
      [
        'funds-confirmation',
        '/v1/funds-confirmations',
        { json: body, headers: { authorization: `Bearer ${token}` } },
      ],
      ['auth', '/oauth2/token', { form: new URLSearchParams({ grant_type: 'client_credentials' }) }],
    ] as const;
    for (const [frozen, path, sending] of asked) {
      const requestId = randomUUID();
      services[frozen].kill('SIGSTOP');
      try {
        const { status } = await send('POST', `${world.baseUrl}${path}`, {
          ...sending,
          headers: { ...('headers' in sending ? sending.headers : {}), 'x-request-id': requestId },
        });
        expect(status).toBe(503);
      } finally {
        services[frozen].kill('SIGCONT');
      }
      const line = await until(
        async () => gatewayLine(requestId),
        (found) => found !== undefined,
      );
      expect(line).toMatchObject({ level: 'warn', dependency: frozen });
    }
  }, 60_000);
});
