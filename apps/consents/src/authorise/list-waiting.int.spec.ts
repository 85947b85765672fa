import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { consentAuthorisation } from '@xs2a/contracts/consents.contract';
import { listWaitingConsents } from '@xs2a/contracts/console/waiting-approvals.contract';
import { createPool } from '@xs2a/postgres/pool';
import { waitingStatement } from '@xs2a/resources/waiting';
import { newId } from '@xs2a/runtime/ids';
import { consentRows } from './list-waiting.handler.js';
import { account, accountsOfPsu } from '../testing/accounts-double.js';
import { forTwo, iban, received, started, startWorld, type World } from '../testing/consents-world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld(1);
}, 60_000);
afterAll(async () => world.stop());

const waiting = async (psuId: string) =>
  (await world.callClient.call(listWaitingConsents, { psuId })).approvals;

describe('the list of consents that wait for the approval of a PSU', () => {
  it('contains a consent until the PSU has authorised it, without personal data', async () => {
    const psuId = `psu-${newId()}`;
    accountsOfPsu.set(psuId, [account(iban)]);
    const { consentId, authorisationId } = await received(world, { psuId });
    expect(await waiting(psuId)).toEqual([
      {
        kind: 'consent',
        id: consentId,
        tppId: 'tpp-1',
        createdAt: expect.stringMatching(/Z$/),
        expiresAt: expect.stringMatching(/Z$/),
        scaStatus: 'received',
        signatures: { given: 0, required: 1 },
      },
    ]);
    expect(await waiting(`psu-${newId()}`)).toEqual([]);
    await world.callClient.call(consentAuthorisation.sign, { consentId, authorisationId, psuId });
    expect(await waiting(psuId)).toEqual([]);
  });

  it('contains a consent with several signers until this signer has signed it', async () => {
    const consent = await forTwo(world);
    const one = await started(world, consent, 'georgi');
    await started(world, consent, 'elena');
    expect(await waiting('georgi')).toMatchObject([
      { id: consent.consentId, signatures: { given: 0, required: 2 } },
    ]);
    await world.callClient.call(consentAuthorisation.sign, one);
    expect(await waiting('georgi')).toEqual([]);
    expect(await waiting('elena')).toMatchObject([{ id: consent.consentId, signatures: { given: 1 } }]);
  });

  it('comes from the index of the waiting rows of consent_view', async () => {
    const url = new URL(world.ownerUrl);
    url.searchParams.set('options', '-c search_path=consents -c enable_seqscan=off');
    const pool = createPool({ url: url.href, name: 'owner', max: 1 });
    try {
      await pool.query(`PREPARE waiting (text, int) AS ${waitingStatement(consentRows)}`);
      const { rows } = await pool.query(`EXPLAIN (COSTS OFF) EXECUTE waiting ('ivan', 101)`);
      expect(JSON.stringify(rows)).toContain('consent_awaited');
    } finally {
      await pool.end();
    }
  });
});
