import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '@xs2a/sandbox/layout';
import { World } from '@xs2a/test-support/world';
import { send } from '@xs2a/tpp-client/http';
import { TppClient, type TppCredentials } from '@xs2a/tpp-client/tpp-client';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const guide = readFileSync(join(root, 'docs/how-to/test-your-tpp.md'), 'utf8');
const rows = [...guide.matchAll(/^\| `(https?:[^`]+)` +\| (yes|no) +\| (yes|no) +\| (yes|no) +\|$/gm)].map(
  ([, address = '', redirect, here, hosted]) => ({
    address,
    mayRedirect: redirect === 'yes',
    isReachedHere: here === 'yes',
    isReachedFromElsewhere: hosted === 'yes',
  }),
);

/** Returns true for 201 and false for 400, the answers that the table calls yes and no; throws for any other status. */
const isAccepted = (status: number): boolean => {
  if (status !== 201 && status !== 400) throw new Error(`unexpected status ${status}`);
  return status === 201;
};

describe('the table of addresses in docs/how-to/test-your-tpp.md', () => {
  it('contains only rows that this spec parses, so that every address is tested', () => {
    expect(rows.length).toBe(guide.match(/^\| `https?:/gm)?.length);
    expect(new Set(rows.map(({ mayRedirect }) => mayRedirect)).size).toBe(2);
  });

  describe('for a sandbox on this machine', () => {
    let world: World;
    beforeAll(async () => {
      world = await World.start();
    }, 90_000);
    afterAll(async () => world.stop());

    it.each(rows)(
      'states whether the sandbox accepts a redirect URI and a notification URI at $address',
      async ({ address, mayRedirect, isReachedHere }) => {
        const json = { name: 'Somewhere', redirectUris: [address], roles: ['PSP_PI', 'PSP_AI'] };
        const answer = await send('POST', `${world.baseUrl}/sandbox/tpps`, { json });
        expect(isAccepted(answer.status)).toBe(mayRedirect);
        if (!mayRedirect) return;
        const credentials = { ...(JSON.parse(answer.text) as TppCredentials), redirectUri: address };
        const tpp = new TppClient(world.baseUrl, credentials);
        const token = await tpp.applicationToken();
        const psu = await world.person('100.00');
        const created = await tpp.call('POST', '/v1/consents', token, {
          json: {
            access: { accounts: [{ iban: psu.accounts[0]?.iban ?? '' }] },
            recurringIndicator: false,
            validUntil: '9999-12-31',
            frequencyPerDay: 1,
            combinedServiceIndicator: false,
          },
          headers: { 'PSU-ID': psu.psuId, 'TPP-Notification-URI': address },
        });
        expect(isAccepted(created.status)).toBe(isReachedHere);
      },
    );
  });
});
