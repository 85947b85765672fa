import { testHashKeys, testMasterKeys } from '@xs2a/runtime/testing/test-master-keys';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { consentEventTypes, personalOfConsent } from '@xs2a/domain/consent/consent-event-types';
import type { ConsentEvent } from '@xs2a/domain/consent/consent-events';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { consentStateVersion, evolveConsent } from '@xs2a/domain/consent/evolve-consent';
import { EventStore } from '@xs2a/event-store/streams/event-store';
import { inlineViewDifferences } from '@xs2a/event-store/projections/inline-view-rebuild';
import { type OldRelease, oldRelease } from '@xs2a/migrations/testing/old-release';
import { createLogger } from '@xs2a/observability/logger';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { consentView } from '../store/consent-view.js';
import { migrations, schema } from './index.js';

let old: OldRelease;
beforeAll(async () => {
  old = await oldRelease(schema);
}, 60_000);
afterAll(async () => old.close());

const at = '2026-11-20T10:00:00.000Z';
const timeZone = 'Europe/Sofia';
const accounts = [{ iban: 'BG25XSBK92001000000001', resourceId: 'r', currency: 'BGN', access: ['accounts'] }];

/** A consent as it was stored when one person signed every consent: events of version 1, and its row. */
const storeOld = async (
  who: { readonly psuId?: string; readonly psuCorporateId?: string },
  end: 'received' | 'authorised' | 'rejected',
): Promise<void> => {
  const consentId = newId();
  const authorisationId = newId();
  const { psuId, ...others } = who;
  const created = {
    consentId,
    tppId: 'tpp',
    access: { accounts: ['BG25XSBK92001000000001', 'BG95XSBK92001000000002'], balances: [] },
    psuPicksAccounts: false,
    recurringIndicator: true,
    validUntil: '2026-12-31',
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
    redirectUris: {},
    expiresAt: '2026-11-21T10:00:00.000Z',
    ...others,
  };
  const by = { authorisationId, psuId: 'ivan' };
  const last: Readonly<Record<typeof end, [string, object][]>> = {
    received: [],
    authorised: [['authorised', { ...by, accounts }]],
    rejected: [['rejected', { ...by, reason: 'psu-refused' }]],
  };
  const events: [string, object][] = [
    ['created', { ...created, ...(psuId === undefined ? {} : { psuId }), authorisationId }],
    ...last[end],
  ];
  const status = { received: 'received', authorised: 'valid', rejected: 'rejected' }[end];
  const scaStatus = { received: 'received', authorised: 'finalised', rejected: 'failed' }[end];
  const state = {
    ...created,
    ...(psuId === undefined ? {} : { namedPsuId: psuId }),
    status,
    authorisation: { ...(end === 'received' ? { authorisationId } : by), scaStatus },
    accounts: end === 'authorised' ? accounts : [],
    lastActionDate: '2026-11-20',
  };
  await old.storeEvents(consentId, events, at);
  const dueAt = { received: created.expiresAt, authorised: '2026-12-31T22:00:00.000Z', rejected: null }[end];
  await old.owner.query(
    `INSERT INTO consents.consent_view (stream_id, version, state, tpp_id, psu_id, status, recurring, due_at)
     VALUES ($1, $2, $3, 'tpp', $4, $5, true, $6)`,
    [consentId, events.length, JSON.stringify(state), end === 'received' ? null : 'ivan', status, dueAt],
  );
};

describe('consents stored before several persons could sign one, with access by IBAN', () => {
  it('have the status view that their events fold into, after the migration', async () => {
    await runMigrations({ url: old.ownerUrl, schema, migrations: migrations.slice(0, 4) });
    for (const who of [{ psuId: 'ivan' }, { psuCorporateId: 'acme' }])
      for (const end of ['received', 'authorised', 'rejected'] as const) await storeOld(who, end);
    await runMigrations({ url: old.ownerUrl, schema, migrations });
    const store = new EventStore<ConsentEvent, ConsentState>({
      pool: old.pool,
      resource: 'consents',
      stateVersion: consentStateVersion,
      evolve: (state, event, when) => evolveConsent(state, event, when, timeZone),
      view: consentView(timeZone),
      clock: new Clock(true),
      logger: createLogger('test', 'silent'),
      eventTypes: consentEventTypes,
      personalData: { masterKeys: testMasterKeys, ofState: personalOfConsent },
      hashKeys: testHashKeys,
    });
    expect(await inlineViewDifferences(old.pool, store)).toEqual([]);
    const { rows } = await old.owner.query<{ holder: string | null }>(
      'SELECT holder FROM consents.consent_view ORDER BY stream_id',
    );
    const acme = 'corporate:acme';
    expect(rows.map(({ holder }) => holder)).toEqual([null, 'psu:ivan', null, acme, acme, acme]);
  });
});
