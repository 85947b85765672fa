// Lane: alone (a busy machine exceeds the call timeouts that many parallel calls have).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkAccess, countAccess, releaseAccess, terminateConsent } from '@xs2a/contracts/consents.contract';
import { changeOf } from '@xs2a/observability/testing/read-metric';
import { createPool } from '@xs2a/postgres/pool';
import { newId } from '@xs2a/runtime/ids';
import {
  countCall,
  consentBody,
  catchFailure,
  iban,
  moveClock,
  secondIban,
  startWorld,
  readStatus,
  validConsent,
  type World,
} from '../testing/consents-world.js';

let world: World;
const twenty = <Answer>(each: (index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: 20 }, async (_none, index) => each(index)));
const letThrough = (failures: readonly unknown[]): number =>
  failures.filter((failure) => failure === undefined).length;

/** Both ways of counting give the same guarantees. */
describe.each([
  ['one by one', false],
  ['with-count-batching', true],
])('%s', (_, batching) => {
  beforeAll(async () => {
    world = await startWorld(2, undefined, { COUNT_BATCHING: batching });
  }, 30_000);
  afterAll(async () => world.stop());

  describe('calls without the PSU (spec 8, contract 5)', () => {
    it('succeed for exactly 4 of 20 parallel calls to two instances, in each of 100 rounds', async () => {
      for (let round = 0; round < 100; round += 1) {
        const consent = await validConsent(world);
        const failures = await twenty(async () => countCall(world, consent));
        expect(letThrough(failures)).toBe(4);
        for (const failure of failures.filter((one) => one !== undefined)) {
          expect(failure.failure).toBe('accessExceeded');
          expect(failure.retryAfter).toBeGreaterThan(24 * 3600 - 60);
          expect(failure.retryAfter).toBeLessThanOrEqual(24 * 3600);
        }
      }
    }, 120_000);

    it('succeed exactly once more after 3 were used', async () => {
      const consent = await validConsent(world);
      for (let call = 0; call < 3; call += 1) expect(await countCall(world, consent)).toBeUndefined();
      expect(letThrough(await twenty(async () => countCall(world, consent)))).toBe(1);
    });

    it('count once if they arrive twice under one id, concurrently at two instances, even if only one more call is allowed', async () => {
      const consent = await validConsent(world);
      for (let call = 1; call <= 4; call += 1) {
        const callId = newId();
        const twice = await Promise.all([0, 1].map(async () => countCall(world, consent, { callId })));
        expect(twice).toEqual([undefined, undefined]);
      }
      expect((await countCall(world, consent))?.failure).toBe('accessExceeded');
    });

    it('count once for a one-off consent, even if its only call arrives twice under one id', async () => {
      const consent = await validConsent(world, {
        body: consentBody(world, { recurringIndicator: false, frequencyPerDay: 1 }),
      });
      const callId = newId();
      expect(await countCall(world, consent, { callId })).toBeUndefined();
      expect(await countCall(world, consent, { callId })).toBeUndefined();
      expect((await countCall(world, consent, { callId: newId() }))?.failure).toBe('oneOffCallRepeated');
    });

    it('are counted separately per endpoint and per account, and for the account list per consent', async () => {
      const both = [{ iban }, { iban: secondIban }];
      const consent = await validConsent(world, {
        body: consentBody(world, { access: { accounts: both, balances: both, transactions: both } }),
      });
      const resources = [`resource-${iban}`, `resource-${secondIban}`];
      for (const endpoint of ['account', 'balances', 'transactions'] as const) {
        for (const resourceId of resources) {
          const failures = await twenty(async () => countCall(world, consent, { endpoint, resourceId }));
          expect([endpoint, resourceId, letThrough(failures)]).toEqual([endpoint, resourceId, 4]);
        }
      }
      const lists = await twenty(async () =>
        countCall(world, consent, { endpoint: 'accounts', resourceId: undefined }),
      );
      expect(letThrough(lists)).toBe(4);
    });

    it('are limited to a lower frequency if the TPP requested one, and return the number of remaining calls', async () => {
      const consent = await validConsent(world, { body: consentBody(world, { frequencyPerDay: 2 }) });
      const request = { ...consent, endpoint: 'accounts' as const, psuPresent: false };
      for (const remaining of [1, 0]) {
        const counted = await world.callClient.call(countAccess, { ...request, callId: newId() });
        expect(counted.remaining).toBe(remaining);
      }
      expect((await countCall(world, consent, { endpoint: 'accounts' }))?.failure).toBe('accessExceeded');
    });

    it('are the only calls counted: calls with the PSU present are not', async () => {
      const consent = await validConsent(world);
      const present = await twenty(async () => countCall(world, consent, { psuPresent: true }));
      expect(letThrough(present)).toBe(20);
      expect(letThrough(await twenty(async () => countCall(world, consent)))).toBe(4);
      expect(await countCall(world, consent, { psuPresent: true })).toBeUndefined();
    });

    it('are measured if they are refused, by endpoint; a refused call with the PSU present is not', async () => {
      const consent = await validConsent(world, { body: consentBody(world, { frequencyPerDay: 1 }) });
      const once = await validConsent(world, {
        body: consentBody(world, { recurringIndicator: false, frequencyPerDay: 1 }),
      });
      const change = await changeOf('xs2a_unattended_calls_refused_total', async () => {
        for (const endpoint of ['balances', 'transactions', 'transactions'] as const)
          await countCall(world, consent, { endpoint });
        for (const _again of [1, 2]) await countCall(world, once, { psuPresent: true });
      });
      expect(change).toEqual({ transactions: 1 });
    });

    it('are not counted if they were not answered, however often they are released', async () => {
      const consent = await validConsent(world);
      const request = { ...consent, endpoint: 'accounts' as const, psuPresent: false };
      const callIds = Array.from({ length: 4 }, newId);
      const claims = await Promise.all(
        callIds.map(async (callId) => world.callClient.call(countAccess, { ...request, callId })),
      );
      const third = { claimId: claims[2]?.claimId ?? '', callId: callIds[2] ?? '' };
      await Promise.all([1, 2, 3].map(async () => world.callClient.call(releaseAccess, third)));
      expect(letThrough(await twenty(async () => countCall(world, consent, { endpoint: 'accounts' })))).toBe(
        1,
      );
    });

    it('are not counted if they arrive twice under one id and the second attempt releases them', async () => {
      const consent = await validConsent(world);
      const request = { ...consent, endpoint: 'accounts' as const, psuPresent: false };
      const first = await world.callClient.call(countAccess, { ...request, callId: newId() });
      expect(first.remaining).toBe(3);
      const callId = newId();
      const named = { ...request, callId };
      await world.callClient.call(countAccess, named);
      const { claimId = '' } = await world.callClient.call(countAccess, named);
      for (const _again of [1, 2]) await world.callClient.call(releaseAccess, { claimId, callId });
      expect(letThrough(await twenty(async () => countCall(world, consent, { endpoint: 'accounts' })))).toBe(
        3,
      );
    });

    it('fail for a consent that only a newer release can read, and no other call fails or is miscounted because of it', async () => {
      const [newer, ...others] = await twenty(async () => validConsent(world));
      if (newer === undefined) throw new Error('there are twenty');
      const owner = createPool({ url: world.ownerUrl, name: 'owner', max: 1 });
      await owner.query(
        "UPDATE consents.events SET type = 'of-tomorrow' WHERE stream_id = $1 AND version = 2",
        [newer.consentId],
      );
      await owner.query(
        "UPDATE consents.consent_view SET state = state::jsonb - '$state' WHERE stream_id = $1",
        [newer.consentId],
      );
      await owner.end();
      const failures = await Promise.all(
        [newer, ...others, newer].map(async (consent) => countCall(world, consent)),
      );
      expect(failures.map((failure) => failure?.failure)).toEqual([
        'dependencyDown',
        ...others.map(() => undefined),
        'dependencyDown',
      ]);
    });

    it('are counted for 24 hours, and the remaining time is returned as Retry-After', async () => {
      const consent = await validConsent(world);
      expect(await countCall(world, consent)).toBeUndefined();
      moveClock(world, 3600);
      for (let call = 0; call < 3; call += 1) expect(await countCall(world, consent)).toBeUndefined();
      const wait = (await countCall(world, consent))?.retryAfter ?? 0;
      expect(wait).toBeGreaterThan(23 * 3600 - 60);
      expect(wait).toBeLessThanOrEqual(23 * 3600);
      moveClock(world, wait);
      expect(letThrough(await twenty(async () => countCall(world, consent)))).toBe(1);
    });
  });

  describe('the access that a consent grants (contract 3)', () => {
    it('is refused for a consent of another TPP exactly as for an unknown consent', async () => {
      const consent = await validConsent(world);
      const unknown = { failure: 'consentUnknown' };
      expect(await countCall(world, { ...consent, tppId: 'tpp-2' })).toEqual(unknown);
      expect(
        await countCall(world, { ...consent, consentId: '01890000-0000-7000-8000-000000000000' }),
      ).toEqual(unknown);
      expect(await countCall(world, { ...consent, consentId: "' OR 1=1" })).toEqual(unknown);
      expect(letThrough(await twenty(async () => countCall(world, consent)))).toBe(4);
    });

    it('excludes accounts and access types outside the consent; such calls are not counted', async () => {
      const consent = await validConsent(world, {
        body: consentBody(world, { access: { balances: [{ iban }] } }),
      });
      expect((await countCall(world, consent))?.failure).toBe('accessNotGranted');
      expect(
        (await countCall(world, consent, { endpoint: 'balances', resourceId: 'resource-other' }))?.failure,
      ).toBe('resourceUnknown');
      const { rows } = await world.pool.query('SELECT FROM access_window WHERE consent_id = $1', [
        consent.consentId,
      ]);
      expect(rows).toHaveLength(0);
      expect(await countCall(world, consent, { endpoint: 'balances' })).toBeUndefined();
    });

    it('ends at every instance once the TPP has terminated the consent', async () => {
      const consent = await validConsent(world);
      await twenty(async () => countCall(world, consent, { psuPresent: true }));
      await world.callClient.call(terminateConsent, consent);
      const after = await twenty(async (index) => countCall(world, consent, { psuPresent: index % 2 === 0 }));
      expect(after.every((failure) => failure?.failure === 'consentInvalid')).toBe(true);
    });
  });

  describe('one-off consents (contract 5)', () => {
    const oneOff = async () =>
      validConsent(world, { body: consentBody(world, { recurringIndicator: false, frequencyPerDay: 1 }) });

    it('allow one call per endpoint and account, whether or not the PSU is present', async () => {
      const consent = await oneOff();
      const failures = await twenty(async (index) =>
        countCall(world, consent, { psuPresent: index % 2 === 0 }),
      );
      expect(letThrough(failures)).toBe(1);
      expect(
        failures.filter((one) => one !== undefined).every(({ failure }) => failure === 'oneOffCallRepeated'),
      ).toBe(true);
      expect(await countCall(world, consent, { endpoint: 'balances' })).toBeUndefined();
    });

    it('end 20 minutes after the first answered call, without waiting for a background job', async () => {
      const consent = await oneOff();
      expect(await countCall(world, consent)).toBeUndefined();
      moveClock(world, 19 * 60);
      expect(await countCall(world, consent, { endpoint: 'balances' })).toBeUndefined();
      moveClock(world, 61);
      expect((await countCall(world, consent, { endpoint: 'account' }))?.failure).toBe('consentExpired');
      expect((await countCall(world, consent, { endpoint: 'accounts', psuPresent: true }))?.failure).toBe(
        'consentExpired',
      );
    });

    it('are not used up by an unanswered call', async () => {
      const consent = await oneOff();
      const callId = newId();
      const request = { ...consent, endpoint: 'accounts' as const, psuPresent: true, callId };
      const { claimId = '' } = await world.callClient.call(countAccess, request);
      await world.callClient.call(releaseAccess, { claimId, callId });
      moveClock(world, 3600);
      expect(await readStatus(world, consent)).toBe('valid');
      expect(await countCall(world, consent, { endpoint: 'accounts' })).toBeUndefined();
    });
  });

  describe('a check without counting (contract 3)', () => {
    const check = async (
      { tppId, consentId }: { readonly tppId: string; readonly consentId: string },
      resourceId = `resource-${iban}`,
    ) => {
      const request = { tppId, consentId, endpoint: 'transactions' as const, resourceId };
      return (await catchFailure(world.callClient.call(checkAccess, request)))?.failure;
    };

    it('does not count against frequencyPerDay, and succeeds even when frequencyPerDay is used up', async () => {
      const consent = await validConsent(world);
      expect(await twenty(async () => check(consent))).toEqual(Array<undefined>(20).fill(undefined));
      expect(letThrough(await twenty(async () => countCall(world, consent)))).toBe(4);
      expect(await check(consent)).toBeUndefined();
    });

    it('fails in the same cases as counting does: another TPP, an unknown account, an ended consent, an expired one-off consent', async () => {
      const consent = await validConsent(world);
      expect(await check({ ...consent, tppId: 'other' })).toBe('consentUnknown');
      expect(await check({ ...consent, consentId: 'x' })).toBe('consentUnknown');
      expect(await check(consent, 'resource-of-nobody')).toBe('resourceUnknown');
      await world.callClient.call(terminateConsent, { tppId: consent.tppId, consentId: consent.consentId });
      expect(await check(consent)).toBe('consentInvalid');
      const oneOff = await validConsent(world, {
        body: consentBody(world, { recurringIndicator: false, frequencyPerDay: 1 }),
      });
      expect(await countCall(world, oneOff)).toBeUndefined();
      expect(await check(oneOff)).toBeUndefined();
      moveClock(world, 21 * 60);
      expect(await check(oneOff)).toBe('consentExpired');
    });
  });
});
