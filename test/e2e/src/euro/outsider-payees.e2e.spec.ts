import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseInitiated, sandboxNow } from '@xs2a/test-support/requests';
import { bodyOf, type FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { parseJson } from '@xs2a/tpp-client/http';
import type { Page } from '@xs2a/tpp-client/psu-browser';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import { type EuroPsu, openEuroPerson, post } from './euro-world.js';

let world: World;
let tpp: TppClient;
let payer: EuroPsu;
beforeAll(async () => {
  world = await World.inEuro();
  tpp = world.tpp();
  payer = await openEuroPerson(tpp);
}, 120_000);
afterAll(async () => world.stop());

type Json = Readonly<Record<string, unknown>>;
/** Opens an account for its first holder, a person or a company, and returns its IBAN. */
const accountOf = async (holder: Json, more: Json = {}): Promise<string> => {
  const accounts = [{ currency: 'EUR', opening: '1.00', ...more }];
  const { accounts: opened } = bodyOf<FreshPsu>(
    await post(tpp, '/sandbox/psus', { ...holder, accounts }),
    201,
  );
  return opened[0]?.iban ?? '';
};
const setStatus = async (iban: string, status: string): Promise<void> => {
  const token = await tpp.applicationToken();
  const { status: answered } = await tpp.call('PATCH', `/sandbox/accounts/${iban}`, token, {
    json: { status },
  });
  expect(answered).toBe(200);
};
const agent = (bicfi: string) => ({ financialInstitutionId: { bicfi } });
const ask = async (iban: string, party: Json, bicfi = 'DEUTDEFF'): Promise<Json> => {
  const headers = { 'X-Request-ID': randomUUID(), 'X-Request-Timestamp': await sandboxNow(world) };
  const json = {
    party,
    partyAccount: { iban },
    partyAgent: agent('XSBKBGSF'),
    requestingAgent: agent(bicfi),
  };
  return parseJson(await post(tpp, '/sandbox/vop/v1/payee-verifications', json, headers));
};
const verdictOf = async (iban: string, name: string): Promise<unknown> =>
  (await ask(iban, { name }))['partyNameMatch'];

/** Signs in to a new SEPA payment and returns its review page and what GET then reports. */
const review = async (
  iban: string,
  creditorName: string,
  language = 'en',
  change: Json = {},
  path = '/v1/payments/SEPA-Credit-Transfer',
): Promise<{ page: Page; payeeVerification: unknown; read: string }> => {
  const body = {
    debtorAccount: { iban: payer.iban },
    instructedAmount: { currency: 'EUR', amount: '1234.50' },
    creditorAccount: { iban },
    creditorName,
    remittanceInformationUnstructured: 'Invoice 1',
    ...change,
  };
  const payment = parseInitiated(await post(tpp, path, body), path);
  const browser = world.browser(language);
  const signIn = await browser.open(payment.scaRedirect);
  const page = await browser.submit(signIn, { psuId: payer.psuId, password: payer.password }, 'approve');
  const { text: read } = await tpp.call('GET', payment.path, await tpp.applicationToken());
  const { payeeVerification } = JSON.parse(read) as Json;
  return { page, payeeVerification, read };
};
const flat = ({ text }: Page): string => text.replaceAll(/[ \n]+/g, ' ');

describe('names through the scheme’s endpoint (contract E4.6)', () => {
  it.each([
    ['IVAN PETROV', 'Иван Петров', 'MTCH'],
    ['Petrov, Ivan', 'Иван Петров', 'MTCH'],
    ['г-н Iwan Petrow', 'Иван Петров', 'MTCH'],
    ['И. Петров', 'Иван Петров', 'CMTC'],
    ['Петров', 'Иван Петров', 'NMTC'],
    ['Иван Г. Петров', 'Иван Георгиев Петров', 'MTCH'],
    ['Мария Георгиев', 'Мария Георгиева', 'CMTC'],
    ['Julia Shtereva', 'Юлия Щерева', 'MTCH'],
    ['Juergen Mueller', 'Jürgen Müller', 'MTCH'],
  ])('%s for %s is %s', async (name, holder, verdict) => {
    expect(await verdictOf(await accountOf({ name: holder }), name)).toBe(verdict);
  });

  it('of a company are its registered, Latin and trading names', async () => {
    const iban = await accountOf({
      name: 'Георги Димитров',
      corporateId: `outsider-${randomUUID().slice(0, 8)}`,
      corporateName: 'Акме ЕООД',
      otherNames: ['Acme EOOD', 'Akme Trade'],
      eik: '999999995',
    });
    const verdicts = ['Акме Е.О.О.Д.', 'Acme Ltd', 'akme trade', 'Acma EOOD', 'Акме ООД', 'Акне АД'].map(
      async (name) => verdictOf(iban, name),
    );
    expect(await Promise.all(verdicts)).toEqual(['MTCH', 'MTCH', 'MTCH', 'CMTC', 'CMTC', 'NMTC']);
    const others = [{ identification: '999999995' }];
    expect(await ask(iban, { identification: { organisationId: { others } } })).toEqual({
      partyIdMatch: 'MTCH',
    });
  });

  it('of a joint account: the nearest holder is disclosed, the worst name counts', async () => {
    const iban = await accountOf({ name: 'Иван Петров' }, { holders: ['Мария Георгиева'] });
    expect(await ask(iban, { name: 'Ivan Petrov / Maria Georgeva' })).toEqual({
      partyNameMatch: 'CMTC',
      matchedName: 'Maria Georgieva',
    });
    expect(await verdictOf(iban, 'Иван Петров и Мария Георгиева')).toBe('MTCH');
    expect(await verdictOf(iban, 'Иван Петров и Елена Стоянова')).toBe('NMTC');
  });

  it('of a blocked account are compared, of a closed one not (contract E4.5)', async () => {
    const iban = await accountOf({ name: 'Иван Петров' });
    await setStatus(iban, 'blocked');
    expect(await verdictOf(iban, 'Ivan Petrov')).toBe('MTCH');
    await setStatus(iban, 'closed');
    expect(await verdictOf(iban, 'Ivan Petrov')).toBe('NOAP');
  });

  it('of a person have no register number: NOAP (contract E4.8)', async () => {
    const others = [{ identification: '999999995' }];
    const iban = await accountOf({ name: 'Иван Петров' });
    expect(await ask(iban, { identification: { organisationId: { others } } })).toEqual({
      partyIdMatch: 'NOAP',
    });
  });
});

describe('the disclosure of a holder (contract E4.9)', () => {
  it('happens five times for an account, over all banks that ask at once, and never again on a page', async () => {
    const iban = await accountOf({ name: 'Иван Петров' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, at) =>
        ask(iban, { name: 'Ivan Petrof' }, at % 2 === 0 ? 'DEUTDEFF' : 'BNPAFRPP'),
      ),
    );
    const disclosed = answers.filter(({ matchedName }) => matchedName !== undefined);
    expect(disclosed).toHaveLength(5);
    expect(answers.filter(({ partyNameMatch }) => partyNameMatch === 'NOAP')).toHaveLength(15);
    expect([await verdictOf(iban, 'Ivan Petrov'), await verdictOf(iban, 'Georgi Petrov')]).toEqual([
      'MTCH',
      'NMTC',
    ]);
    const { page, payeeVerification } = await review(iban, 'Ivan Petrof');
    expect(payeeVerification).toMatchObject({ result: 'NOT_POSSIBLE' });
    expect(flat(page)).toContain('The name could not be checked.');
    await world.advance('P1D');
    expect(await verdictOf(iban, 'Ivan Petrof')).toBe('CMTC');
  });
});

describe('the payee on the review page, in Bulgarian (contract E7.3)', () => {
  const liability =
    'Банката плаща по IBAN. Ако одобрите въпреки това, тя не отговаря за грешен получател и може да не успее да върне парите.';
  it.each([
    ['BG14XSBV92001000000101', 'MATCH', ['Името съвпада с титуляря на сметката.']],
    [
      'BG84XSBV92001000000102',
      'CLOSE_MATCH',
      ['Името почти съвпада. Титулярят е Пример Примеров. Това ли е получателят?', liability],
    ],
    [
      'BG57XSBV92001000000103',
      'NO_MATCH',
      [
        'Внимание: името не съвпада с титуляря на сметката. Парите може да отидат у друг.',
        liability,
        'Прочетох предупреждението',
        'Одобрявам въпреки това',
      ],
    ],
    [
      'BG30XSBV92001000000104',
      'NOT_POSSIBLE',
      ['Името не можа да бъде проверено. Уверете се сами, че сметката е на получателя.'],
    ],
    ['BG03XSBV92001000000105', 'MATCH', ['Името съвпада с титуляря на сметката.']],
  ])('%s is %s, whatever the name (contract E8.2)', async (iban, result, texts) => {
    const { page, payeeVerification, read } = await review(iban, 'Някой', 'bg');
    for (const text of texts) expect(flat(page)).toContain(text);
    expect(flat(page).includes(liability)).toBe(texts.includes(liability));
    expect(flat(page)).toContain('1\u00A0234,50\u00A0€');
    expect(payeeVerification).toEqual({ result, verifiedAt: expect.stringMatching(/^20.*Z$/) });
    expect(read).not.toContain('Примеров');
  });

  it.each([
    ['BG26RZBB91551023456789', 'Petar Ivanov', 'MATCH'],
    ['BG39BNBG96613100195002', 'Общинска администрация', 'MATCH'],
    ['BG12XSBK92001000000041', 'Мария Георгиева', 'MATCH'],
    ['DE89370400440532013000', 'Some Body', 'NO_MATCH'],
    ['FR1420041010050500013M02606', 'Max Mustermann', 'NOT_POSSIBLE'],
  ])('%s with the name %s is %s (contract E8.3)', async (iban, name, result) => {
    expect((await review(iban, name)).payeeVerification).toMatchObject({ result });
  });

  it('across the border is not verified (contract E4.1)', async () => {
    const { page, payeeVerification } = await review(
      'TR330006100519786457841326',
      'Ayşe Yılmaz',
      'en',
      {
        creditorAgent: 'TCZBTR2A',
        creditorAddress: { townName: 'Ankara', country: 'TR' },
        chargeBearer: 'SHAR',
        serviceLevel: 'SPOT',
      },
      '/v1/payments/cross-border-credit-transfer',
    );
    expect(payeeVerification).toBeUndefined();
    expect(flat(page)).toContain('€1,234.50');
    expect(flat(page)).not.toMatch(/The name (matches|could not|almost)/);
  });
});
