import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type NamedAccount, nameAccounts } from '@xs2a/contracts/accounts.contract';
import type { RequestOf } from '@xs2a/contracts/call';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { FlowBrowser, payment } from '../../testing/flow-browser.js';
import { type FlowWorld, startFlowWorld } from '../../testing/flow-world.js';
import { sandboxCodes } from '../sign-in/otp-codes.js';
import { answeredWithinMs } from '../page-request.js';
import type { AuthorisationRequest } from '../requests/authorisation-request.js';
import { findAccountNames } from './account-names.js';
import { fromRows } from './row-parts.js';

let world: FlowWorld;
beforeAll(async () => {
  world = await startFlowWorld();
}, 60_000);
afterAll(async () => world.stop());
afterEach(() => {
  world.nameAccounts = undefined;
});

const debtorIban = 'BG25XSBK92001000000001';
const named: NamedAccount = {
  iban: debtorIban,
  name: 'Household',
  available: { minor: 150_000, currency: 'BGN' },
};

/** A browser on the review of a payment from the account. */
const atReview = async (psuId = 'ivan', more: Partial<AuthorisationRequest> = {}): Promise<FlowBrowser> => {
  const { id, authorisation } = payment({ debtorIban });
  const profile = makeProfile('sandbox');
  const browser = new FlowBrowser(world.newFlow(sandboxCodes), id, async () => ({
    ...authorisation,
    namedAccounts: { iban: debtorIban },
    rows: (_state, language, names) => fromRows(debtorIban, { language, profile, now: '', names }),
    ...more,
  }));
  expect(await browser.signIn(psuId)).toBe('review');
  return browser;
};
const shown = ({ text }: FlowBrowser): string =>
  text
    .slice(text.indexOf('<dl>'), text.indexOf('</form>'))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/[\s\u00a0]+/g, ' ');
const ibanInGroups = 'BG25 XSBK 9200 1000 0000 01';

describe('the account on the review of a payment (contract 12)', () => {
  it('is shown by its name, the end of its IBAN and what it can pay, with the IBAN in the fold', async () => {
    const asked: RequestOf<typeof nameAccounts>[] = [];
    world.nameAccounts = (request) => {
      asked.push(request);
      return { ok: { accounts: [named] } };
    };
    const browser = await atReview();
    expect(shown(browser)).toContain('From Household •• 0001 · available BGN 1,500.00');
    expect(browser.text.split('<details class="more">')[1]).toContain(`value="${debtorIban}"`);
    expect(browser.text.split('<details class="more">')[0]).not.toContain(debtorIban);
    expect(asked).toEqual([{ psuId: 'ivan', iban: debtorIban, withBalance: true }]);
    await browser.send(browser.form({}));
    expect(await browser.look()).toBe('code');
    expect(asked).toHaveLength(1);
  });

  it('is shown without a balance that the bank does not report', async () => {
    world.nameAccounts = () => ({ ok: { accounts: [{ ...named, available: undefined }] } });
    expect(shown(await atReview())).toMatch(/From Household •• 0001 (?!·)/);
  });

  it('is shown by its IBAN, with no balance, to a PSU whose account it is not', async () => {
    world.nameAccounts = () => ({ ok: { accounts: [] } });
    const browser = await atReview('maria');
    expect(shown(browser)).toContain(`From ${ibanInGroups}`);
    expect(browser.text).not.toMatch(/available|Household/);
  });

  it('is shown by its IBAN while the accounts service is frozen', async () => {
    let asked = 0;
    world.nameAccounts = () => {
      asked += 1;
      return 'none';
    };
    expect(shown(await atReview())).toContain(`From ${ibanInGroups}`);
    expect(asked).toBeGreaterThan(0);
  });

  it('is shown by its IBAN while the core bank does not answer', async () => {
    world.nameAccounts = () => ({ failures: [{ failure: 'dependencyDown', dependency: 'bank' }] });
    expect(shown(await atReview())).toContain(`From ${ibanInGroups}`);
  });

  it('is chosen by the same name and balance', async () => {
    const asked: RequestOf<typeof nameAccounts>[] = [];
    world.nameAccounts = (request) => {
      asked.push(request);
      return { ok: { accounts: [named] } };
    };
    const { id, authorisation } = payment({ debtorIban });
    const account = { iban: debtorIban, resourceId: id, currency: 'BGN', product: 'Current', type: 'CACC' };
    const browser = new FlowBrowser(world.newFlow(sandboxCodes), id, async () => ({
      ...authorisation,
      picksAccounts: true,
      namedAccounts: 'all',
      accounts: async () => [{ ...account, status: 'enabled', main: false }],
    }));
    expect(await browser.signIn('ivan')).toBe('accounts');
    expect(browser.text).toMatch(/<b>\s*Household/);
    expect(browser.text).not.toContain('Current');
    expect(browser.text.replaceAll(/<[^>]*>|\s+/g, ' ')).toMatch(/0000 +01 +available +BGN 1,500\.00/);
    expect(asked).toEqual([{ psuId: 'ivan', withBalance: true }]);
    world.nameAccounts = () => ({ ok: { accounts: [] } });
    expect(await browser.look()).toBe('accounts');
    expect(browser.text).toMatch(/<b>\s*Current/);
  });

  it('is asked for while the payments of a bulk payment are read', async () => {
    const begun = Promise.withResolvers<void>();
    world.nameAccounts = async () => {
      await begun.promise;
      return { ok: { accounts: [named] } };
    };
    const entries = async () => {
      begun.resolve();
      return { entries: [], at: 0, sizes: [0] };
    };
    expect(shown(await atReview('ivan', { entries }))).toContain('From Household');
  });

  it('is not waited for longer than the page has time', async () => {
    world.nameAccounts = () => 'none';
    for (const takenMs of [2300, 2700]) {
      const receivedAt = performance.now() - takenMs;
      const session = { step: 'review', psuId: 'ivan' } as const;
      const names = await findAccountNames(world.callClient, { namedAccounts: 'all' }, session, {
        receivedAt,
      });
      expect(names.size).toBe(0);
      expect(performance.now() - receivedAt).toBeLessThan(answeredWithinMs);
    }
  });
});
