// Lane: long (it starts a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProfileName } from '@xs2a/domain/profile/profile';
import { makeLayout } from '@xs2a/sandbox/layout';
import { startSandbox, type Sandbox } from '@xs2a/sandbox/sandbox';
import {
  bulkPath,
  bulkPayment,
  dayFrom,
  domesticPath,
  domesticPayment,
  listCodes,
  parseInitiated,
  periodicPath,
  periodicPayment,
} from '@xs2a/test-support/requests';
import { bodyOf, fixtureTpp } from '@xs2a/test-support/sandbox-tpp';
import { validated } from '@xs2a/test-support/contract/openapi';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { post } from './euro-world.js';

const dataDir = mkdtempSync(join(tmpdir(), 'xs2a-euro-'));
let sandbox: Sandbox;
let tpp: TppClient;
let port = 0;
const restart = async (profile: ProfileName): Promise<void> => {
  sandbox = await startSandbox({ dataDir, port, profile, sourceMaps: false });
  port = Number(new URL(sandbox.baseUrl).port);
  tpp = validated(fixtureTpp(sandbox.baseUrl));
};

const iban = 'BG25XSBK92001000000001';
const key = { 'idempotency-key': 'before-the-euro' };
const paths = [domesticPath, periodicPath, bulkPath] as const;
const bodies: Record<string, unknown>[] = [];
const first: Answer[] = [];
beforeAll(async () => {
  await restart('sandbox');
  const clock = await tpp.call('GET', '/sandbox/clock', await tpp.applicationToken());
  const { now } = bodyOf<{ now: string }>(clock, 200);
  bodies.push(
    domesticPayment(iban),
    periodicPayment(iban, dayFrom(now, 3)),
    bulkPayment(iban, ['1.00', '2.00']),
  );
  for (const [at, path] of paths.entries()) first.push(await post(tpp, path, bodies[at], key));
  await sandbox.stop();
  // As the switch-over does, but without converting or rejecting what is left of the lev.
  writeFileSync(makeLayout(dataDir).profile, 'bg-euro');
  await restart('bg-euro');
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const idOf = (at: number): string => parseInitiated(first[at] ?? ({} as Answer)).paymentId;
const get = async (path: string) => tpp.call('GET', path, await tpp.applicationToken());

describe.each(paths.map((path, at) => [path, at] as const))(
  'the product that ended with the lev under %s (contract E1.5)',
  (path, at) => {
    it('answers the repeat of an earlier POST as before', async () => {
      const repeat = await post(tpp, path, bodies[at], key);
      expect([repeat.status, repeat.text]).toEqual([201, first[at]?.text]);
    });

    it('refuses a new POST, whatever its body, and names the day and the successor', async () => {
      for (const json of [bodies[at], {}, 'no object']) {
        const answer = await post(tpp, path, json);
        expect(answer.status).toBe(404);
        expect(parseJson(answer)).toEqual({
          tppMessages: [
            {
              category: 'ERROR',
              code: 'PRODUCT_UNKNOWN',
              text: 'domestic-credit-transfer-BGN ended on 2026-01-01. Send the payment in EUR to SEPA-Credit-Transfer.',
            },
          ],
        });
      }
    });

    it('is refused after the headers, and after the key of another request', async () => {
      const malformed = await post(tpp, path, bodies[at], { 'x-request-id': 'x' });
      expect(listCodes(malformed)).toEqual(['FORMAT_ERROR']);
      expect(listCodes(await post(tpp, path, {}, key))).toEqual(['STATUS_INVALID']);
    });

    it('serves what was created: details as submitted, status, authorisations', async () => {
      const own = `${path}/${idOf(at)}`;
      const { transactionStatus, ...read } = parseJson(await get(own));
      expect(transactionStatus).toBe('RCVD');
      if (at < 2) expect(read).toMatchObject(bodies[at] ?? {});
      expect(parseJson(await get(`${own}/status`))).toEqual({ transactionStatus: 'RCVD' });
      expect(parseJson<{ authorisationIds: string[] }>(await get(`${own}/authorisations`))).toEqual({
        authorisationIds: [expect.any(String)],
      });
    });

    it('answers an unknown id with 404 RESOURCE_UNKNOWN', async () => {
      const unknown = await get(`${path}/01998f6f-2c7b-7b9d-8d4a-1f0e5b6c7d8e`);
      expect([unknown.status, listCodes(unknown)]).toEqual([404, ['RESOURCE_UNKNOWN']]);
    });

    it('can be cancelled', async () => {
      const own = `${path}/${idOf(at)}`;
      expect((await tpp.call('DELETE', own, await tpp.applicationToken())).status).toBe(204);
      expect(parseJson(await get(`${own}/status`))).toMatchObject({ transactionStatus: 'CANC' });
    });
  },
);

describe('a periodic order from before the euro (contract E1.4, E1.5)', () => {
  it('is repeated under domestic, and a new one in leva is refused for its currency', async () => {
    const path = '/v1/periodic-payments/domestic';
    const repeat = await post(tpp, path, bodies[1], key);
    expect([repeat.status, repeat.text]).toEqual([201, first[1]?.text]);
    expect(listCodes(await post(tpp, path, {}, key))).toEqual(['STATUS_INVALID']);
    const created = { ...bodies[1], serviceLevel: undefined };
    expect(listCodes(await post(tpp, path, created))).toEqual(['PAYMENT_FAILED']);
  });

  it('is still found under domestic', async () => {
    const answer = await get(`/v1/periodic-payments/domestic/${idOf(1)}`);
    expect(parseJson(answer)).toMatchObject({ instructedAmount: { currency: 'BGN' } });
  });
});
