import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { homeCurrency } from '@xs2a/test-support/home';
import { listPaths } from '@xs2a/test-support/requests';
import { bodyOf, type FreshPsu, openPerson } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';

let world: World;
let tpp: TppClient;
let token: string;
beforeAll(async () => {
  world = await World.ofLane();
  tpp = await world.newTpp(['PSP_AI', 'PSP_PI']);
  token = await tpp.applicationToken();
});
afterAll(async () => world.stop());

interface Page {
  readonly psus: readonly { readonly psuId: string }[];
  readonly _links: { readonly first?: { readonly href: string }; readonly next?: { readonly href: string } };
}
const listed = async (path = '/sandbox/psus'): Promise<Page> =>
  bodyOf<Page>(await tpp.call('GET', path, token), 200);

describe('GET /sandbox/psus (contract 13)', () => {
  it('lists the people that the caller created, newest first, with their balances and without passwords', async () => {
    expect(await listed()).toEqual({ psus: [], _links: {} });
    const first = await openPerson(tpp, '100.00');
    const iban = first.accounts[0]?.iban ?? '';
    const deposit = { json: { amount: '0.50', currency: homeCurrency } };
    await tpp.call('POST', `/sandbox/accounts/${iban}/deposit`, token, deposit);
    const corporateId = `c-${first.psuId}`;
    const json = { name: 'Елена', corporateId, accounts: [{ currency: homeCurrency, opening: '7.00' }] };
    const second = bodyOf<FreshPsu>(await tpp.call('POST', '/sandbox/psus', token, { json }), 201);
    const accountOf = ({ accounts }: FreshPsu, balance: string) =>
      accounts.map((account) => ({ ...account, status: 'enabled', balance }));
    expect(await listed()).toEqual({
      psus: [
        { psuId: second.psuId, name: 'Елена', corporateId, accounts: accountOf(second, '7.00') },
        { psuId: first.psuId, name: 'Тест Тестов', accounts: accountOf(first, '100.50') },
      ],
      _links: {},
    });
  });

  it('refuses a signer of a company that another TPP created, who would see its balances', async () => {
    const { corporateId } = await world.corporate(2, 2);
    const json = { corporateId, accounts: [{ currency: homeCurrency, opening: '0' }] };
    const answer = await tpp.call('POST', '/sandbox/psus', token, { json });
    expect([answer.status, listPaths(answer)]).toEqual([400, ['corporateId']]);
  });

  it('never lists the people of another TPP', async () => {
    const { psuId } = await world.person();
    expect((await listed('/sandbox/psus?pageSize=500')).psus.map((psu) => psu.psuId)).not.toContain(psuId);
  });

  it('pages through the links without a gap or a repeat', async () => {
    for (let person = 0; person < 3; person += 1) await openPerson(tpp, '1.00');
    const all = (await listed()).psus;
    const found: Page['psus'][number][] = [];
    for (let next: string | undefined = '/sandbox/psus?pageSize=2'; next !== undefined;) {
      const page: Page = await listed(next);
      if (found.length > 0) expect(page._links.first).toEqual({ href: '/sandbox/psus?pageSize=2' });
      found.push(...page.psus);
      next = page._links.next?.href;
    }
    expect(found.length).toBeGreaterThanOrEqual(3);
    expect(found).toEqual(all);
  });

  it.each([
    ['pageSize=0', 'pageSize'],
    ['cursor=x', 'cursor'],
  ])('refuses ?%s', async (query, path) => {
    const answer = await tpp.call('GET', `/sandbox/psus?${query}`, token);
    expect([answer.status, listPaths(answer)]).toEqual([400, [path]]);
  });
});
