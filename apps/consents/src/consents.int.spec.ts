import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import {
  type CreateConsent,
  expireDueConsents,
  listPsuConsents,
  readConsent,
  revokeConsent,
  terminateConsent,
  consentAuthorisation,
} from '@xs2a/contracts/consents.contract';
import { account, accountsOfPsu, corporates } from './testing/accounts-double.js';
import {
  countCall,
  consentBody,
  daysAhead,
  catchFailure,
  iban,
  moveClock,
  received as receivedIn,
  secondIban,
  startWorld,
  readStatus,
  validConsent,
  type World,
} from './testing/consents-world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  accountsOfPsu.set('ivan', [account(iban), account(secondIban)]);
}, 30_000);
afterAll(async () => world.stop());

const received = async (more: Partial<CreateConsent> = {}) => receivedIn(world, more);

describe('a consent that belongs to another TPP or PSU (contract 3)', () => {
  it('is indistinguishable from an unknown one, for every call', async () => {
    const consent = await validConsent(world);
    const none = { tppId: 'tpp-1', consentId: '01890000-0000-7000-8000-000000000000' };
    for (const ref of [{ ...consent, tppId: 'tpp-2' }, none, { ...none, consentId: 'x' }]) {
      for (const call of [readConsent, consentAuthorisation.list, terminateConsent]) {
        expect(await catchFailure(world.callClient.call<typeof ref, unknown>(call, ref))).toEqual({
          failure: 'consentUnknown',
        });
      }
    }
    expect(await readStatus(world, consent)).toBe('valid');
  });

  it('cannot be authorised through a wrong link, or revoked by another PSU', async () => {
    const { consentId, authorisationId } = await received();
    const wrong = { consentId, authorisationId: consentId };
    expect(await catchFailure(world.callClient.call(consentAuthorisation.read, wrong))).toEqual({
      failure: 'consentUnknown',
    });
    expect(
      (await catchFailure(world.callClient.call(consentAuthorisation.sign, { ...wrong, psuId: 'ivan' })))
        ?.failure,
    ).toBe('consentUnknown');
    await world.callClient.call(consentAuthorisation.sign, { consentId, authorisationId, psuId: 'ivan' });
    expect(await catchFailure(world.callClient.call(revokeConsent, { consentId, psuId: 'maria' }))).toEqual({
      failure: 'consentUnknown',
    });
  });
});

describe('authorisation (contract 5)', () => {
  it('grants access to the accounts that the PSU picks if the TPP named none', async () => {
    const body = consentBody(world, { access: { accounts: [], balances: [], transactions: [] } });
    const consent = await received({ body });
    const approval = { ...consent, psuId: 'ivan' };
    expect((await catchFailure(world.callClient.call(consentAuthorisation.sign, approval)))?.failure).toBe(
      'fieldMalformed',
    );
    expect(
      await world.callClient.call(consentAuthorisation.sign, { ...approval, chosenIbans: [secondIban] }),
    ).toEqual({
      status: 'valid',
      isSigned: true,
      signaturesMissing: 0,
    });
    expect((await world.callClient.call(readConsent, consent)).access).toEqual({
      accounts: [{ iban: secondIban }],
      balances: [{ iban: secondIban }],
      transactions: [{ iban: secondIban }],
    });
    expect((await countCall(world, consent))?.failure).toBe('resourceUnknown');
    expect(await countCall(world, consent, { resourceId: `resource-${secondIban}` })).toBeUndefined();
  });

  it('rejects the consent if an account is closed or does not belong to the PSU', async () => {
    accountsOfPsu.set('maria', [account(secondIban)]);
    accountsOfPsu.set('closed', [account(iban, { status: 'closed' })]);
    for (const psuId of ['maria', 'closed']) {
      const consent = await received({ psuId });
      expect(await world.callClient.call(consentAuthorisation.sign, { ...consent, psuId })).toMatchObject({
        status: 'rejected',
        rejectionReason: 'not-the-account-owner',
      });
      expect((await countCall(world, consent))?.failure).toBe('consentInvalid');
    }
  });

  it('keeps references as they were sent, and rejects a reference whose currency differs from that of the account', async () => {
    const authorised = async (currency: string) => {
      const access = { balances: [{ iban, currency, cashAccountType: 'CACC' }] };
      const consent = await received({ body: consentBody(world, { access }) });
      await world.callClient.call(consentAuthorisation.sign, { ...consent, psuId: 'ivan' });
      const view = await world.callClient.call(readConsent, consent);
      expect(view.access).toEqual(access);
      return view.consentStatus;
    };
    expect(await authorised('BGN')).toBe('valid');
    expect(await authorised('USD')).toBe('rejected');
  });

  it('does not make a consent valid with one signature if a corporate requires two', async () => {
    corporates.set('corp-1', 1);
    corporates.set('corp-2', 2);
    accountsOfPsu.set('one', [account(iban, { corporateId: 'corp-1' })]);
    accountsOfPsu.set('two', [account(iban, { corporateId: 'corp-2' })]);
    const authorised = async (psuId: string, psuCorporateId?: string) => {
      const consent = await received({ psuId, psuCorporateId });
      return (await world.callClient.call(consentAuthorisation.sign, { ...consent, psuId })).status;
    };
    expect(await authorised('one')).toBe('valid');
    expect(await authorised('one', 'corp-1')).toBe('valid');
    // The bank started to require two signatures after the consent was created.
    expect(await authorised('two')).toBe('rejected');
  });

  it('happens only once: twenty concurrent requests store one event, and a later refusal comes too late', async () => {
    const consent = await received();
    const statuses = await Promise.all(
      Array.from(
        { length: 20 },
        async () =>
          (await world.callClient.call(consentAuthorisation.sign, { ...consent, psuId: 'ivan' })).status,
      ),
    );
    expect(new Set(statuses)).toEqual(new Set(['valid']));
    const { rows } = await world.pool.query<{ type: string }>(
      'SELECT type FROM events WHERE stream_id = $1 ORDER BY version',
      [consent.consentId],
    );
    expect(rows.map(({ type }) => type)).toEqual(['created', 'authorised']);
    expect(
      await catchFailure(
        world.callClient.call(consentAuthorisation.reject, {
          ...consent,
          psuId: 'ivan',
          reason: 'psu-refused',
        }),
      ),
    ).toEqual({ failure: 'statusForbidsAuthorisation' });
  });
});

describe('a newer recurring consent (contract 5)', () => {
  it('replaces the older consent of the same TPP and PSU, and no other', async () => {
    accountsOfPsu.set('petar', [account(iban)]);
    const older = await validConsent(world, { psuId: 'petar' });
    const ofOtherTpp = await validConsent(world, { psuId: 'petar', tppId: 'tpp-2' });
    const oneOff = await validConsent(world, {
      psuId: 'petar',
      body: consentBody(world, { recurringIndicator: false, frequencyPerDay: 1 }),
    });
    const newer = await validConsent(world, { psuId: 'petar' });
    expect(
      await Promise.all([older, ofOtherTpp, oneOff, newer].map(async (one) => readStatus(world, one))),
    ).toEqual(['expired', 'valid', 'valid', 'valid']);
    expect((await countCall(world, older))?.failure).toBe('consentExpired');
  });

  it('is the only one still valid after ten concurrent authorisations, in each of ten rounds', async () => {
    for (let round = 0; round < 10; round += 1) {
      const psuId = `racing-${round}`;
      accountsOfPsu.set(psuId, [account(iban)]);
      const consents = await Promise.all(Array.from({ length: 10 }, async () => received({ psuId })));
      await Promise.all(
        consents.map(async (consent) =>
          world.callClient.call(consentAuthorisation.sign, { ...consent, psuId }),
        ),
      );
      const statuses = await Promise.all(consents.map(async (consent) => readStatus(world, consent)));
      expect(statuses.filter((status) => status === 'valid')).toHaveLength(1);
      expect(statuses.filter((status) => status === 'expired')).toHaveLength(9);
    }
  }, 30_000);
});

describe('the end of a consent (contract 5)', () => {
  it('by the TPP is a rejection before authorisation and a termination afterwards; a repeat changes nothing', async () => {
    const [before, after] = [await received(), await validConsent(world)];
    for (let repeat = 0; repeat < 2; repeat += 1) {
      await world.callClient.call(terminateConsent, before);
      await world.callClient.call(terminateConsent, after);
      expect(await readStatus(world, before)).toBe('rejected');
      expect(await readStatus(world, after)).toBe('terminatedByTpp');
    }
    expect(
      await catchFailure(world.callClient.call(consentAuthorisation.sign, { ...before, psuId: 'ivan' })),
    ).toEqual({
      failure: 'statusForbidsAuthorisation',
    });
  });

  it('can be caused by the PSU, who sees the granted access and its last use', async () => {
    const consent = await validConsent(world);
    const [listed] = (await world.callClient.call(listPsuConsents, consent)).consents;
    expect(listed).toMatchObject({ consentId: consent.consentId, tppId: 'tpp-1', consentStatus: 'valid' });
    expect(listed?.lastUsedAt).toBeUndefined();
    await countCall(world, consent, { psuPresent: true });
    const deadline = performance.now() + 5000;
    let lastUsedAt: string | undefined;
    while (lastUsedAt === undefined && performance.now() < deadline) {
      lastUsedAt = (await world.callClient.call(listPsuConsents, consent)).consents[0]?.lastUsedAt;
    }
    expect(Math.abs(Date.parse(lastUsedAt ?? '') - world.clock.nowMs())).toBeLessThan(60_000);
    for (let use = 0; use < 6; use += 1) await countCall(world, consent, { psuPresent: true });
    const recent = async (): Promise<readonly string[]> =>
      (await world.callClient.call(listPsuConsents, consent)).consents[0]?.recentUses ?? [];
    while ((await recent()).length < 5 && performance.now() < deadline);
    expect(await recent()).toHaveLength(5);
    expect(await recent()).toEqual((await recent()).toSorted().toReversed());
    await world.callClient.call(revokeConsent, consent);
    expect(await readStatus(world, consent)).toBe('revokedByPsu');
    expect((await countCall(world, consent, { psuPresent: true }))?.failure).toBe('consentInvalid');
    expect((await world.callClient.call(listPsuConsents, consent)).consents[0]?.consentStatus).toBe(
      'revokedByPsu',
    );
  });

  it('comes when its last day has passed in the time zone of the bank', async () => {
    const consent = await validConsent(world, {
      body: consentBody(world, { validUntil: daysAhead(world, 1) }),
    });
    moveClock(world, 3 * 24 * 3600);
    expect((await countCall(world, consent, { psuPresent: true }))?.failure).toBe('consentExpired');
    await world.callClient.call(expireDueConsents, {});
    const { rows } = await world.pool.query<{ status: string }>(
      'SELECT status FROM consent_view WHERE stream_id = $1',
      [consent.consentId],
    );
    expect(rows[0]?.status).toBe('expired');
  });

  it('comes after 24 hours if it has not been authorised by then', async () => {
    const consent = await received();
    moveClock(world, 24 * 3600);
    expect(await readStatus(world, consent)).toBe('rejected');
    await world.callClient.call(expireDueConsents, {});
    const { authorisations } = await world.callClient.call(consentAuthorisation.read, consent);
    expect(authorisations.map(({ scaStatus }) => scaStatus)).toEqual(['failed']);
  });

  it('comes 20 minutes after the first call of a one-off consent, and is stored as events', async () => {
    const consent = await validConsent(world, {
      body: consentBody(world, { recurringIndicator: false, frequencyPerDay: 1 }),
    });
    expect(await countCall(world, consent)).toBeUndefined();
    moveClock(world, 20 * 60 + 1);
    await world.callClient.call(expireDueConsents, {});
    const { rows } = await world.pool.query<{ type: string; reason: string | null }>(
      "SELECT type, data ->> 'reason' AS reason FROM events WHERE stream_id = $1 ORDER BY version",
      [consent.consentId],
    );
    expect(rows.map(({ type, reason }) => reason ?? type)).toEqual([
      'created',
      'authorised',
      'first-used',
      'one-off-used',
    ]);
  });

  it('leaves no counters behind once none of its calls count any more', async () => {
    const consent = await validConsent(world);
    expect(await countCall(world, consent)).toBeUndefined();
    moveClock(world, 25 * 3600);
    await world.callClient.call(expireDueConsents, {});
    await world.callClient.call(expireDueConsents, {});
    const { rows } = await world.pool.query('SELECT FROM access_window WHERE consent_id = $1', [
      consent.consentId,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('the stream CONSENTS (architecture, Event store)', () => {
  it('contains every stored event once, in order', async () => {
    const { rows } = await world.pool.query<{ count: number }>('SELECT count(*) AS count FROM events');
    const manager = await jetstreamManager(world.nats);
    const stored = rows[0]?.count ?? 0;
    const deadline = performance.now() + 5000;
    let last = 0;
    while (last < stored && performance.now() < deadline)
      last = (await manager.streams.info('CONSENTS')).state.last_seq;
    expect(last).toBe(stored);
    const message = await manager.streams.getMessage('CONSENTS', { seq: 1 });
    expect(message?.subject).toMatch(/^xs2a\.consents\.created\./);
  });
});
