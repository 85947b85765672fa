import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listConsentsOfBank } from '@xs2a/contracts/consents.contract';
import { readConsentTimeline } from '@xs2a/contracts/timeline.contract';
import { newId } from '@xs2a/runtime/ids';
import {
  catchFailure,
  countCall,
  iban,
  received,
  startWorld,
  validConsent,
  type World,
} from '../testing/consents-world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld(1);
}, 60_000);
afterAll(async () => world.stop());

const list = async (request: Partial<{ tppId: string; before: string; limit: number }>) =>
  (await world.callClient.call(listConsentsOfBank, { limit: 100, ...request })).consents;

describe('what the console reads of consents (docs/how-to/operate-the-console.md)', () => {
  it('is the history of a consent, without personal data', async () => {
    const { consentId, psuId } = await validConsent(world);
    const { timeline } = await world.callClient.call(readConsentTimeline, { id: consentId });
    expect(timeline).toMatchObject({
      tppId: 'tpp-1',
      leftOut: 0,
      facts: { kind: 'consent', recurring: true, frequencyPerDay: 4 },
    });
    const events = timeline?.events ?? [];
    expect(events[0]).toMatchObject({ version: 1, status: 'received', actor: 'tpp-1' });
    expect(events.at(-1)).toMatchObject({ status: 'valid', actor: 'psu' });
    const text = JSON.stringify(timeline);
    for (const secret of [psuId, iban]) expect(text).not.toContain(secret);
  });

  it('says how many calls without the PSU are left for each endpoint and account, and when the next one is', async () => {
    const consent = await validConsent(world);
    const left = async () => {
      const { timeline } = await world.callClient.call(readConsentTimeline, { id: consent.consentId });
      return timeline?.facts.unattended?.map(({ endpoint, account, ...one }) => [
        `${endpoint} ${account ?? ''}`.trim(),
        one.left,
        one.limit,
        one.nextAt,
      ]);
    };
    const end = iban.slice(-4);
    const untouched = [
      ['accounts', 4, 4, null],
      [`account …${end}`, 4, 4, null],
      [`balances …${end}`, 4, 4, null],
    ];
    expect(await left()).toEqual([...untouched, [`transactions …${end}`, 4, 4, null]]);
    for (let call = 0; call < 4; call += 1) expect(await countCall(world, consent)).toBeUndefined();
    await countCall(world, consent, { psuPresent: true });
    const [used] = (await left())?.slice(-1) ?? [];
    expect(used?.slice(0, 3)).toEqual([`transactions …${end}`, 0, 4]);
    const wait = Date.parse(String(used?.[3])) - Date.now();
    expect(wait).toBeGreaterThan(23.9 * 3_600_000);
    expect(wait).toBeLessThanOrEqual(24 * 3_600_000 + 1000);
    const unsigned = await received(world);
    const { timeline } = await world.callClient.call(readConsentTimeline, { id: unsigned.consentId });
    expect(timeline?.facts.unattended).toEqual([]);
  });

  it('is the list of the consents of a TPP, newest first and page by page, with their last use', async () => {
    const tppId = `tpp-${newId()}`;
    const used = await validConsent(world, { tppId });
    const unused = await received(world, { tppId });
    await countCall(world, used);
    await expect(list({ tppId })).resolves.toMatchObject([
      { consentId: unused.consentId, tppId, status: 'received' },
      { consentId: used.consentId, tppId, status: 'valid' },
    ]);
    expect(await list({ tppId, before: unused.consentId })).toHaveLength(1);
    expect((await list({ limit: 2 })).map(({ consentId }) => consentId)).toEqual([
      unused.consentId,
      used.consentId,
    ]);
    expect(await list({ tppId: 'nobody' })).toEqual([]);
  });

  it('refuses what cannot be meant', async () => {
    for (const request of [{ limit: 501 }, { before: 'x' }, { tppId: '' }, { tppId: '\0' }])
      expect(await catchFailure(list(request))).toMatchObject({ failure: 'fieldMalformed' });
    expect(await catchFailure(world.callClient.call(readConsentTimeline, { id: 'x' }))).toMatchObject({
      failure: 'fieldMalformed',
    });
  });
});
