import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import type { Page } from '@xs2a/tpp-client/psu-browser';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import { rawRequest } from '@xs2a/test-support/raw-http';
import {
  authorised,
  listCodes,
  consentBody,
  consented,
  dayFrom,
  domesticPath,
  domesticPayment,
  initiate,
  listPaths,
  sandboxNow,
  until,
} from '@xs2a/test-support/requests';
import { budgetProduct, domesticProduct, homeCurrency, otherCurrency } from '@xs2a/test-support/home';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let inThirtyDays: string;
beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
  inThirtyDays = dayFrom(await sandboxNow(world), 30);
});
afterAll(async () => world.stop());

const present = { headers: { 'psu-ip-address': '198.51.100.7' } };
const verdict = (answer: Answer): unknown => [answer.status, ...listCodes(answer)];
const listIbans = ({ accounts }: FreshPsu): string[] => accounts.map(({ iban }) => iban);
const statusOfConsent = async (consentId: string): Promise<unknown> =>
  parseJson(await tpp.call('GET', `/v1/consents/${consentId}/status`, await tpp.applicationToken('PSP_AI')))[
    'consentStatus'
  ];

/** Creates a consent of a new PSU to all of the PSU's accounts. Returns the resource ids in account order. */
const createConsentFor = async (
  openings: readonly string[],
  changes: Readonly<Record<string, unknown>> = {},
) => {
  const psu = await world.person(...openings);
  const body = consentBody(listIbans(psu), inThirtyDays, changes);
  const { consentId, tokens } = await consented(world, tpp, psu, body);
  return { psu, consentId, token: tokens.access_token };
};
const listIds = async (token: string): Promise<string[]> =>
  parseJson<{ accounts: { resourceId: string }[] }>(
    await tpp.call('GET', '/v1/accounts', token, present),
  ).accounts.map(({ resourceId }) => resourceId);

/** Returns the TPPs that may request funds confirmations, as listed on the PSU's page. */
const grantedIn = ({ forms }: Page): string[] =>
  forms.flatMap(({ fields }) => fields.flatMap(([name, value]) => (name === 'fundsOf' ? [value] : [])));

describe('data calls that the consent does not allow (spec 2.1 rule 6, contract 3, 5)', () => {
  it('return 401 CONSENT_INVALID after the PSU withdraws the consent at the bank; the status is revokedByPsu, and a refresh returns invalid_grant', async () => {
    const psu = await world.person('1.00');
    const { consentId, tokens } = await consented(world, tpp, psu, consentBody(listIbans(psu), inThirtyDays));
    const browser = world.browser();
    const signIn = await browser.open(`${world.baseUrl}/sca/apps`);
    const list = await browser.submit(signIn, { psuId: psu.psuId, password: psu.password });
    await browser.submit(list, {}, 'withdraw');
    expect(await statusOfConsent(consentId)).toBe('revokedByPsu');
    const dead = await tpp.call('GET', '/v1/accounts', tokens.access_token, present);
    expect(verdict(dead)).toEqual([401, 'CONSENT_INVALID']);
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' };
    expect(parseJson(await tpp.tokenRequest(form))['error']).toBe('invalid_grant');
  });

  it('return 401 TOKEN_INVALID after the PSU withdraws a funds confirmation consent at the bank, and a refresh returns invalid_grant; other TPPs keep their consents', async () => {
    const psu = await world.person('1.00');
    const other = world.tpp('sandbox-tpp-2');
    const [mine, again, theirs] = [
      await authorised(world, tpp, psu, 'PSP_IC'),
      await authorised(world, tpp, psu, 'PSP_IC'),
      await authorised(world, other, psu, 'PSP_IC'),
    ];
    const browser = world.browser();
    const signIn = await browser.open(`${world.baseUrl}/sca/apps`);
    const list = await browser.submit(signIn, { psuId: psu.psuId, password: psu.password });
    expect(grantedIn(list)).toEqual(['sandbox-tpp', 'sandbox-tpp-2']);
    const after = await browser.submit(list, { fundsOf: 'sandbox-tpp' }, 'withdraw');
    expect(grantedIn(after)).toEqual(['sandbox-tpp-2']);
    const ask = async (client: TppClient, token: string) =>
      client.call('POST', '/v1/funds-confirmations', token, {
        json: { instructedAmount: { currency: homeCurrency, amount: '1.00' } },
      });
    for (const tokens of [mine, again]) {
      const dead = await until(
        () => ask(tpp, tokens.access_token),
        ({ status }) => status !== 200,
      );
      expect(verdict(dead)).toEqual([401, 'TOKEN_INVALID']);
      const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' };
      expect(parseJson(await tpp.tokenRequest(form))['error']).toBe('invalid_grant');
    }
    expect((await ask(other, theirs.access_token)).status).toBe(200);
    const nothing = await browser.submit(after, { fundsOf: 'nobody' }, 'withdraw');
    expect(grantedIn(nothing)).toEqual(['sandbox-tpp-2']);
  });

  it('return 401 CONSENT_INVALID for data outside the consent, although the account itself can be read', async () => {
    const psu = await world.person('1.00');
    const references = listIbans(psu).map((iban) => ({ iban }));
    for (const [access, refused] of [
      [{ accounts: references }, ['/balances', '/transactions']],
      [{ accounts: references, balances: references }, ['/transactions']],
      [{ accounts: references, transactions: references }, ['/balances']],
    ] as const) {
      const { tokens } = await consented(world, tpp, psu, consentBody([], inThirtyDays, { access }));
      const [id = ''] = await listIds(tokens.access_token);
      const outcomes: unknown[] = [];
      for (const tail of ['', '/balances', '/transactions']) {
        const answer = await tpp.call('GET', `/v1/accounts/${id}${tail}`, tokens.access_token, present);
        outcomes.push(answer.status === 200 ? 200 : verdict(answer));
      }
      const expected = ['', '/balances', '/transactions'].map((tail) =>
        refused.some((one) => one === tail) ? [401, 'CONSENT_INVALID'] : 200,
      );
      expect([Object.keys(access), outcomes]).toEqual([Object.keys(access), expected]);
    }
  });

  it('return 401 TOKEN_INVALID for the wrong kind of token, and 401 ROLE_INVALID for the wrong role', async () => {
    const { psu, token } = await createConsentFor(['10.00']);
    const funds = await authorised(world, tpp, psu, 'PSP_IC');
    expect(verdict(await tpp.call('GET', '/v1/accounts', funds.access_token, present))).toEqual([
      401,
      'TOKEN_INVALID',
    ]);
    const json = { instructedAmount: { currency: homeCurrency, amount: '1.00' } };
    expect(verdict(await tpp.call('POST', '/v1/funds-confirmations', token, { json }))).toEqual([
      401,
      'TOKEN_INVALID',
    ]);
    const aiOnly = world.tpp('sandbox-tpp-ai-only');
    const [iban = ''] = listIbans(psu);
    const paid = await aiOnly.call('POST', domesticPath, await aiOnly.applicationToken('PSP_AI'), {
      json: domesticPayment(iban),
    });
    expect(verdict(paid)).toEqual([401, 'ROLE_INVALID']);
  });
});

describe('payments under another path (contract 3)', () => {
  it('return 405 SERVICE_INVALID for another payment service, and 403 PRODUCT_INVALID for another product', async () => {
    const psu = await world.person('10.00');
    const token = await tpp.applicationToken();
    const { paymentId } = await initiate(tpp, token, domesticPayment(listIbans(psu)[0] ?? ''));
    for (const tail of ['', '/status', '/authorisations', '/cancellation-authorisations']) {
      for (const service of ['periodic-payments', 'bulk-payments']) {
        const path = `/v1/${service}/${domesticProduct}/${paymentId}${tail}`;
        const answer = await tpp.call('GET', path, token);
        expect([path, verdict(answer)]).toEqual([path, [405, 'SERVICE_INVALID']]);
        expect(answer.headers.get('allow')).toBe('OPTIONS');
      }
      const path = `/v1/payments/${budgetProduct}/${paymentId}${tail}`;
      expect([path, verdict(await tpp.call('GET', path, token))]).toEqual([path, [403, 'PRODUCT_INVALID']]);
    }
  });
});

describe('authorisations of a payment (contract 9, spec 3.3)', () => {
  it('can be listed and read, and do not exist for a cancellation; unknown ones return 404, and unsupported operations 405', async () => {
    const psu = await world.person('10.00');
    const token = await tpp.applicationToken();
    const { path } = await initiate(tpp, token, domesticPayment(listIbans(psu)[0] ?? ''));
    const list = parseJson<{ authorisationIds: string[] }>(
      await tpp.call('GET', `${path}/authorisations`, token),
    );
    expect(list.authorisationIds).toHaveLength(1);
    const [id = ''] = list.authorisationIds;
    expect(parseJson(await tpp.call('GET', `${path}/authorisations/${id}`, token))).toEqual({
      scaStatus: 'received',
    });
    for (const other of [randomUUID(), 'x', id.toUpperCase().replace(/^./, 'g')]) {
      const unknown = await tpp.call('GET', `${path}/authorisations/${other}`, token);
      expect([other, verdict(unknown)]).toEqual([other, [404, 'RESOURCE_UNKNOWN']]);
    }
    for (const when of ['RCVD', 'CANC']) {
      const none = await tpp.call('GET', `${path}/cancellation-authorisations`, token);
      expect([when, none.status, parseJson(none)]).toEqual([when, 200, { authorisationIds: [] }]);
      await tpp.call('DELETE', path, token);
    }
    const notOffered = await tpp.call('POST', `${path}/cancellation-authorisations`, token);
    expect(verdict(notOffered)).toEqual([405, 'SERVICE_INVALID']);
  });
});

/** PSU-IP-Address values that are a single IPv4 or IPv6 literal, and values that only look like one (contract 2). */
const addresses: readonly (readonly [value: string, isOne: boolean])[] = [
  ...[
    '192.0.2.1',
    '10.0.0.1',
    '::1',
    '2001:db8::1',
    '2001:DB8::A',
    '2001:0db8:0000:0000:0000:0000:0000:0001',
    'fe80::1',
    '::ffff:192.0.2.1',
    '64:ff9b::192.0.2.33',
    '1:2:3:4:5:6:7:8',
    '1::8',
  ].map((value) => [value, true] as const),
  ...[
    '',
    ' ',
    '01.2.3.4',
    '192.0.2.001',
    '0x7f.0.0.1',
    '127.1',
    '2130706433',
    '256.0.0.1',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.4.',
    '-1.2.3.4',
    '192.0.2.1:443',
    '[2001:db8::1]',
    '[::1]:80',
    'fe80::1%eth0',
    'fe80::1%25eth0',
    '2001:db8::1::2',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::1',
    'g::1',
    ':::',
    ':',
    '192.0.2.1/32',
    '2001:db8::/32',
    '192.0.2.1, 192.0.2.2',
    '192.0.2.1,192.0.2.2',
    '192.0.2.1 192.0.2.2',
    'localhost',
    'unknown',
    'null',
    '"192.0.2.1"',
    'for=192.0.2.1',
    '::ffff:192.0.2.256',
    '::ffff:01.2.3.4',
    '192.0.2.1;',
    '١٩٢.0.2.1',
  ].map((value) => [value, false] as const),
];

describe('PSU-IP-Address (contract 2, spec 8 rule 1, spec 8 rule 2)', () => {
  it('must be a single IP address if the PSU is present; any other value returns 400 FORMAT_ERROR and is not counted', async () => {
    const { token } = await createConsentFor(['1.00']);
    const ask = async (...values: string[]) =>
      rawRequest(world.baseUrl, 'GET /v1/accounts', [
        `Authorization: Bearer ${token}`,
        ...values.map((value) => `PSU-IP-Address: ${value}`),
      ]);
    const wrong: string[] = [];
    for (const [value, isOne] of addresses) {
      const { status, text } = await ask(value);
      const refused =
        status === 400 && text.includes('"code":"FORMAT_ERROR"') && text.includes('"path":"PSU-IP-Address"');
      if (isOne ? status !== 200 : !refused) wrong.push(`${value}: ${status} ${text.slice(0, 100)}`);
    }
    expect(wrong).toEqual([]);
    for (const twice of [
      ['192.0.2.1', '192.0.2.1'],
      ['192.0.2.1', ''],
      ['::1', '192.0.2.1'],
    ])
      expect([twice, (await ask(...twice)).status]).toEqual([twice, 400]);
    // Neither calls with the PSU present nor refused calls used any of the four calls. The unspecified
    // address does not mean that a PSU is present.
    const unattended: number[] = [];
    for (const nobodys of [['0.0.0.0'], ['255.255.255.255'], ['224.0.0.1'], ['::'], ['ff02::1'], []])
      unattended.push((await ask(...nobodys)).status);
    expect(unattended).toEqual([200, 200, 200, 200, 429, 429]);
  });
});

describe('a consent: other rules of contract 5', () => {
  it.each([
    [homeCurrency, 'valid'],
    ['USD', 'rejected'],
  ])('referenced with currency %s is %s, and shown as sent', async (currency, status) => {
    const psu = await world.person('10.00');
    const token = await tpp.applicationToken();
    const access = { balances: [{ iban: listIbans(psu)[0], currency }] };
    const created = await tpp.call('POST', '/v1/consents', token, {
      json: consentBody([], inThirtyDays, { access }),
      headers: { 'psu-id': psu.psuId },
    });
    const { _links } = parseJson<{ _links: Record<'self' | 'scaRedirect', { href: string }> }>(created);
    await walkAndApprove(world.browser(), _links.scaRedirect.href, psu);
    expect(parseJson(await tpp.call('GET', _links.self.href, token))).toMatchObject({
      access,
      consentStatus: status,
    });
  });
});

describe('funds confirmation: other rules of contract 7', () => {
  it('returns 400 FORMAT_ERROR with the path of the field for invalid bodies', async () => {
    const psu = await world.person('10.00');
    const { access_token } = await authorised(world, tpp, psu, 'PSP_IC');
    const [iban = ''] = listIbans(psu);
    const instructedAmount = { currency: homeCurrency, amount: '1.00' };
    const cases: readonly (readonly [unknown, string])[] = [
      [{}, 'instructedAmount'],
      [{ instructedAmount: null }, 'instructedAmount'],
      [{ instructedAmount: { currency: homeCurrency } }, 'instructedAmount.amount'],
      [{ instructedAmount: { amount: '1.00' } }, 'instructedAmount.currency'],
      [{ instructedAmount: { ...instructedAmount, amount: '0.00' } }, 'instructedAmount.amount'],
      [{ instructedAmount: { ...instructedAmount, amount: '-1.00' } }, 'instructedAmount.amount'],
      [{ instructedAmount: { ...instructedAmount, amount: '1.001' } }, 'instructedAmount.amount'],
      [{ instructedAmount: { ...instructedAmount, amount: 1 } }, 'instructedAmount.amount'],
      [{ instructedAmount, account: {} }, 'account'],
      [{ instructedAmount, account: { iban: `${iban}0` } }, 'account.iban'],
      [{ instructedAmount, account: { iban: iban.toLowerCase() } }, 'account.iban'],
      [{ instructedAmount, surprise: 1 }, 'surprise'],
      // A currency that none of the PSU's accounts has.
      [{ instructedAmount: { currency: otherCurrency, amount: '1.00' } }, 'instructedAmount.currency'],
      [
        { instructedAmount: { currency: otherCurrency, amount: '1.00' }, account: { iban } },
        'instructedAmount.currency',
      ],
      [{ instructedAmount, account: { iban, currency: 'USD' } }, 'account.currency'],
    ];
    for (const [json, path] of cases) {
      const answer = await tpp.call('POST', '/v1/funds-confirmations', access_token, { json });
      expect([json, verdict(answer), listPaths(answer)[0]?.startsWith(path)]).toEqual([
        json,
        [400, 'FORMAT_ERROR'],
        true,
      ]);
    }
  });

  it('accepts payee and cardNumber, and answers for an account of another PSU in the same way as for an unknown account', async () => {
    const [psu, stranger] = [await world.person('10.00'), await world.person('10.00')];
    const { access_token } = await authorised(world, tpp, psu, 'PSP_IC');
    const ask = async (more: object): Promise<Answer> =>
      tpp.call('POST', '/v1/funds-confirmations', access_token, {
        json: { instructedAmount: { currency: homeCurrency, amount: '10.00' }, ...more },
      });
    const [iban = ''] = listIbans(psu);
    expect((await ask({ payee: 'Shop', cardNumber: '1234', account: { iban } })).text).toBe(
      '{"fundsAvailable":true}',
    );
    const answers = [];
    for (const other of [listIbans(stranger)[0], 'BG26XSBK92001099999999', 'DE89370400440532013000'])
      answers.push(await ask({ account: { iban: other } }));
    expect(answers.map(verdict)).toEqual(answers.map(() => [404, 'RESOURCE_UNKNOWN']));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
});
