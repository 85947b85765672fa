// Lane: long (a reader of the portal, from the first page to the last).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runExample, shownExamples } from '@xs2a/test-support/page-examples';
import { consentBody, consented, dayFrom, sandboxNow } from '@xs2a/test-support/requests';
import { bodyOf, type FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

interface Page {
  readonly transactions: {
    readonly booked: readonly { readonly transactionId: string }[];
    readonly _links: { readonly next?: { readonly href: string } };
  };
}
const idsOn = ({ transactions }: Page): string[] =>
  transactions.booked.map(({ transactionId }) => transactionId);

describe.each([
  { bank: 'in leva', start: async () => World.start() },
  { bank: 'in euro', start: async () => World.inEuro() },
])('docs/how-to/read-accounts.md in the portal of a bank $bank', ({ start }) => {
  let world: World;
  beforeAll(async () => {
    world = await start();
  }, 90_000);
  afterAll(async () => world.stop());

  /** Pays money into an account. Returns the id of the entry, which is booked at once. */
  const payIn = async ({ iban, currency }: FreshPsu['accounts'][number], amount: string): Promise<string> => {
    const tpp = world.tpp();
    const json = { amount, currency };
    const token = await tpp.applicationToken();
    const answer = await tpp.call('POST', `/sandbox/accounts/${iban}/deposit`, token, { json });
    return bodyOf<{ transactionId: string }>(answer, 201).transactionId;
  };

  it('has examples that lead from the accounts of a consent through every page of entries to its end', async () => {
    const [
      address = '',
      accounts = '',
      balances = '',
      firstPage = '',
      nextPage = '',
      delta = '',
      end = '',
      ...more
    ] = await shownExamples(`${world.baseUrl}/guides/read-accounts`, 'Shell');
    expect([address, more]).toEqual([`export BASE_URL=${world.baseUrl}`, []]);
    const psu = await world.person('100.00');
    const [account] = psu.accounts;
    if (account === undefined) throw new Error('the person has no account');
    const { iban } = account;
    const paidIn: string[] = [];
    for (const amount of ['1.00', '2.00', '3.00']) paidIn.unshift(await payIn(account, amount));
    const validUntil = dayFrom(await sandboxNow(world), 30);
    const { consentId, tokens } = await consented(world, world.tpp(), psu, consentBody([iban], validUntil));
    const variables: Record<string, string> = {
      BASE_URL: world.baseUrl,
      USER_TOKEN: tokens.access_token,
      CONSENT_ID: consentId,
      PSU_ADDRESS: '198.51.100.7',
    };
    const answer = async <Body>(example: string): Promise<Body> =>
      JSON.parse(await runExample(example, variables)) as Body;

    const listed = await answer<{ accounts: readonly { iban: string; resourceId: string }[] }>(accounts);
    expect(listed.accounts.map((one) => one.iban)).toEqual([iban]);
    variables['ACCOUNT_ID'] = listed.accounts[0]?.resourceId ?? '';
    expect(await answer(balances)).toMatchObject({ account: { iban }, balances: expect.any(Array) });

    let page = await answer<Page>(firstPage);
    const read = idsOn(page);
    expect(read).toHaveLength(2);
    while (page.transactions._links.next !== undefined) {
      variables['NEXT'] = page.transactions._links.next.href;
      page = await answer<Page>(nextPage);
      read.push(...idsOn(page));
    }
    expect(read.slice(0, 3)).toEqual(paidIn);
    expect(new Set(read).size).toBe(read.length);

    const later = await payIn(account, '4.00');
    expect(idsOn(await answer<Page>(delta))).toEqual([later]);
    expect(idsOn(await answer<Page>(delta))).toEqual([]);

    expect((await runExample(end, variables)).trim()).toBe('');
    expect(await answer(accounts)).toMatchObject({ tppMessages: [{ category: 'ERROR' }] });
  }, 60_000);
});
