// Lane: nightly (response times are measured against a one-second limit).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '@xs2a/tpp-client/http';
import type { ServiceBehindNats } from '@xs2a/sandbox/services/service-table';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import { signal } from './frozen-processes.js';
import {
  consentBody,
  consented,
  dayFrom,
  domesticPath,
  domesticPayment,
  initiate,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';

const twice = ['payments', 'accounts', 'consents'] as const satisfies ServiceBehindNats[];
let world: World;
let tpp: TppClient;
let iban: string;
let application: string;
let ais: string;
let path: string;

beforeAll(async () => {
  world = await World.around({ twice });
  tpp = world.tpp();
  const psu = await world.person('1000.00');
  iban = psu.accounts[0]?.iban ?? '';
  application = await tpp.applicationToken();
  const body = consentBody([iban], dayFrom(await sandboxNow(world), 30));
  ais = (await consented(world, tpp, psu, body)).tokens.access_token;
  ({ path } = await initiate(tpp, application, domesticPayment(iban)));
}, 90_000);
afterAll(async () => world.stop());

interface Timed {
  readonly status: number;
  readonly ms: number;
}
const timed = async (ask: () => Promise<Answer>): Promise<Timed> => {
  const begun = performance.now();
  const { status } = await ask();
  return { status, ms: performance.now() - begun };
};
/** Sends requests at a steady rate, whether or not earlier requests have been answered. */
const steadily = async (count: number, ask: () => Promise<Answer>): Promise<Timed[]> => {
  const answers: Promise<Timed>[] = [];
  for (let index = 0; index < count; index += 1) {
    answers.push(timed(ask));
    await pass(40);
  }
  return Promise.all(answers);
};
const present = { headers: { 'psu-ip-address': '192.0.2.1' } };
const readStatus = async () => tpp.call('GET', `${path}/status`, application);
const create = async () =>
  tpp.call('POST', domesticPath, application, {
    json: domesticPayment(iban),
    headers: { 'idempotency-key': randomUUID() },
  });
const listAccounts = async () => tpp.call('GET', '/v1/accounts', ais, present);

describe('one frozen process out of two of a service (docs/adr/0024)', () => {
  it.each([
    ['payments', [readStatus, create]],
    ['accounts', [create, listAccounts]],
    ['consents', [listAccounts]],
  ] as const)(
    '%s: every read and every creation with a key is answered well within two seconds',
    async (service, asked) => {
      const frozen = world.sandbox.seconds[service]?.pid ?? 0;
      expect(frozen).toBeGreaterThan(0);
      signal([frozen], 'SIGSTOP');
      let answers: Timed[];
      try {
        answers = (await Promise.all(asked.map(async (ask) => steadily(60, ask)))).flat();
      } finally {
        signal([frozen], 'SIGCONT');
      }
      expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
      expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(1800);
      // The frozen process still receives calls.
      expect(answers.filter(({ ms }) => ms > 400).length).toBeGreaterThan(5);
    },
    60_000,
  );
});
