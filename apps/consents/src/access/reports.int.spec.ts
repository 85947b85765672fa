import { testMasterKeys } from '@xs2a/runtime/testing/test-master-keys';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccessCounted, countAccess, releaseAccess } from '@xs2a/contracts/consents.contract';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { createLogger } from '@xs2a/observability/logger';
import { newId } from '@xs2a/runtime/ids';
import { createConsentStore } from '../store/consent-store.js';
import { CallCounters } from './call-counters.js';
import {
  countCall,
  iban,
  moveClock,
  startWorld,
  validConsent,
  type World,
} from '../testing/consents-world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
}, 30_000);
afterAll(async () => world.stop());

type Consent = Awaited<ReturnType<typeof validConsent>>;
/** Requests a report of the account's transactions, with the PSU present unless specified otherwise. */
const report = async (consent: Consent, more: object = {}): Promise<AccessCounted> =>
  world.callClient.call(countAccess, {
    ...consent,
    endpoint: 'transactions',
    resourceId: `resource-${iban}`,
    psuPresent: true,
    reportsAt: now(),
    callId: newId(),
    ...more,
  });
const now = (): string => world.clock.now();

describe('the time when transactions were last reported (contract 6: deltaList)', () => {
  it('is returned with the next report for the same consent and account, with or without the PSU', async () => {
    const consent = await validConsent(world);
    expect((await report(consent)).lastReportAt).toBeUndefined();
    const after = now();
    moveClock(world, 60);
    const second = await report(consent, { psuPresent: false });
    expect(second.remaining).toBe(3);
    expect((second.lastReportAt ?? '') <= after).toBe(true);
    const before = now();
    const { lastReportAt = '' } = await report(consent);
    expect(lastReportAt > after && lastReportAt <= before).toBe(true);
    const other = await validConsent(world);
    expect((await report(other)).lastReportAt).toBeUndefined();
  });

  it('is not changed by a call that is not a report, or by a refused call', async () => {
    const consent = await validConsent(world);
    const reportsAt = now();
    await report(consent, { reportsAt });
    moveClock(world, 60);
    await report(consent, { reportsAt: undefined });
    for (let call = 0; call < 4; call += 1) await countCall(world, consent);
    expect((await countCall(world, consent, { reportsAt: now() }))?.failure).toBe('accessExceeded');
    expect((await report(consent)).lastReportAt).toBe(reportsAt);
  });

  it('is reset if the report was not delivered, even if other reports have been made since', async () => {
    const consent = await validConsent(world);
    await report(consent);
    moveClock(world, 60);
    const callId = newId();
    const failed = await report(consent, { psuPresent: false, callId });
    moveClock(world, 60);
    await report(consent);
    await world.callClient.call(releaseAccess, { claimId: failed.claimId ?? '', callId });
    expect((await report(consent)).lastReportAt).toBe(failed.lastReportAt);
    const never = await validConsent(world);
    const { claimId = '' } = await report(never, { callId });
    await world.callClient.call(releaseAccess, { claimId, callId });
    expect((await report(never)).lastReportAt).toBeUndefined();
  });

  it('is absent from exactly one of the 4 reports that are allowed out of 20 parallel ones without the PSU', async () => {
    const consent = await validConsent(world);
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, async () => report(consent, { psuPresent: false })),
    );
    const made = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    expect(made).toHaveLength(4);
    expect(made.filter(({ lastReportAt }) => lastReportAt === undefined)).toHaveLength(1);
  });

  it('is kept longer than the calls of a day, and is removed once it is older than any consent can be', async () => {
    const consent = await validConsent(world);
    await report(consent);
    const logger = createLogger('test', 'silent');
    const store = createConsentStore(world.pool, world.clock, logger, makeProfile('sandbox'), {
      MASTER_KEYS: testMasterKeys,
    });
    const counters = new CallCounters(world.pool, store);
    const kept = async (): Promise<number> => {
      const { rows } = await world.pool.query('SELECT FROM access_window WHERE consent_id = $1', [
        consent.consentId,
      ]);
      return rows.length;
    };
    const ago = (days: number): number => (world.clock.nowMs() - days * 86_400_000) * 1000;
    await counters.prune(ago(0), ago(91), 5000);
    expect(await kept()).toBe(1);
    await counters.prune(ago(0), ago(0), 5000);
    expect(await kept()).toBe(0);
  });
});
