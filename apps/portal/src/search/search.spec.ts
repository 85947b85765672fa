import { describe, expect, it } from '@jest/globals';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { openApiDocument } from '@xs2a/gateway/openapi/document';
import { readFileSync } from 'node:fs';
import { errorCodes } from '../errors/error-codes.js';
import { guidePage } from '../guides/guide-pages.js';
import { guides } from '../guides/guides.js';
import type { Fixtures } from '../start/fixtures.js';
import { otherWords } from './other-words.js';
import { listPassages } from './passages.js';
import { searchIn } from './search-index.js';
import { searchPage } from './search-page.js';

const baseUrl = 'http://127.0.0.1:8080';
const file = new URL('../../../../deploy/sandbox/sandbox-fixtures.json', import.meta.url);
const fixtures = JSON.parse(readFileSync(file, 'utf8')) as Fixtures;
const passagesOf = (name: 'sandbox' | 'bg-euro') => {
  const profile = makeProfile(name);
  const document = openApiDocument({ baseUrl, pagesUrl: baseUrl, sandbox: true, profile });
  return listPassages(document, guides[profile.standard], standardOf(profile), fixtures);
};
const passages = passagesOf('sandbox');
const search = searchIn(passages);
const first = (query: string): string | undefined => search(query)[0]?.id;

describe('the search of the portal', () => {
  it.each([
    ['FORMAT_ERROR', '/errors/FORMAT_ERROR'],
    ['FUNDS_NOT_AVAILABLE', '/errors/FUNDS_NOT_AVAILABLE'],
    ['format error', '/errors/FORMAT_ERROR'],
    ['initiate a payment', '/reference/initiatePayment'],
    ['verify a notification', '/guides/verify-a-notification'],
    ['standing order and a bulk', '/guides/test-your-tpp#a-standing-order-and-a-bulk'],
    ['confirm funds', '/reference/confirmFunds'],
    ['recurring payment', '/guides/test-your-tpp#a-standing-order-and-a-bulk'],
    ['postman', '/collections'],
    ['idempotency', '/guides/follow-a-payment#what-is-safe-to-repeat'],
    ['Idempotency-Key', '/guides/follow-a-payment#what-is-safe-to-repeat'],
    ['duplicate payment', '/guides/follow-a-payment#what-is-safe-to-repeat'],
    ['two signatures', '/guides/test-your-tpp#a-company-with-two-signers'],
    ['multilevel', '/guides/test-your-tpp#a-company-with-two-signers'],
    ['revoke consent', '/guides/read-accounts#end-the-consent'],
    ['bulk', '/reference/initiateBulkPayment'],
    ['status codes', '/guides/follow-a-payment#its-life'],
    ['rate limit', '/errors/ACCESS_EXCEEDED'],
    ['future dated payment', '/guides/follow-a-payment#when-it-is-executed'],
    ['remittance', '/reference/initiatePayment'],
    ['balance type', '/reference/readBalances'],
    ['validUntil', '/reference/createConsent'],
    ['sandbox users', '/#people'],
    ['test people', '/#people'],
    ['ivan', '/#people'],
    ['test accounts', '/guides/test-your-tpp#a-person-with-an-account'],
    ['sandbox reset', '/guides/test-your-tpp#begin-again'],
    ['clean up test data', '/guides/test-your-tpp#begin-again'],
    ['error codes', '/errors'],
    ['swagger', '/reference/explorer'],
    ['sign without browser', '/guides/sign-in-a-test'],
    ['unsubscribe', '/guides/verify-a-notification'],
    ['mTLS', '/guides/present-a-certificate'],
    ['changelog', '/changelog'],
    ['purpose code', '/reference/codes'],
    ['budget payment codes', '/reference/codes'],
    ['VAT budget payment', '/reference/codes'],
    ['consent validity days', '/reference/createConsent'],
    ['how long is access token valid', '/guides/get-a-token'],
    ['ip address', '/guides/read-accounts#is-the-psu-there'],
    ['timezone', '/guides/follow-a-payment#names-and-formats'],
    ['login', '/guides/get-a-token'],
    ['CORS', '/guides/get-a-token#send-tokens-in-the-header-only'],
    ['webhook', '/guides/verify-a-notification'],
    ['CONSENT_EXPIRED', '/errors/CONSENT_EXPIRED'],
    ['consent expired', '/errors/CONSENT_EXPIRED'],
    ['TOKEN_INVALID', '/errors/TOKEN_INVALID'],
    ['invalid_grant', '/guides/get-a-token#send-tokens-in-the-header-only'],
    ['client_credentials', '/guides/get-a-token'],
    ['RJCT', '/guides/follow-a-payment#its-life'],
    ['serviceLevel', '/reference/initiatePayment'],
    ['two-factor', '/guides/sign-in-a-test'],
    ['signature verification', '/guides/verify-a-notification#verify-the-signature'],
    ['SDK', '/guides/generate-a-client'],
    ['cancel payment', '/guides/follow-a-payment#cancel-a-payment'],
    ['pagination', '/guides/read-accounts#transactions-page-by-page'],
  ])('finds %s first at %s', (query, id) => {
    expect(first(query)).toBe(id);
  });

  it('has other words only for passages that exist', () => {
    const ids = new Set(passages.map(({ id }) => id));
    expect(Object.keys(otherWords).filter((id) => !ids.has(id))).toEqual([]);
  });

  it('finds a word by its beginning, and with a typing error', () => {
    const ids = (query: string): string[] => search(query).map(({ id }) => id);
    expect(ids('signing bask')).toContain('/reference/createBasket');
    expect(ids('notificaton')).toContain('/guides/verify-a-notification');
    expect(ids('zqxjkvw')).toEqual([]);
  });

  it('ignores words that are everywhere', () => {
    expect(search('how is the').map(({ id }) => id)).toEqual([]);
    expect(search('sign a payment')).toEqual(search('sign payment'));
  });

  it('takes every character of a query as it is', () => {
    for (const query of ['$BASE_URL', '(', '[a-z]+', '^$', '\\', '*', '%00', '𝒳'])
      expect(Array.isArray(search(query))).toBe(true);
    expect(search('$BASE')[0]?.excerpt[1].toLowerCase()).toBe('$base');
  });

  it('finds a field by its name, at the operations that accept it', () => {
    const ids = search('ultimateDebtor').map(({ id }) => id);
    expect(ids).toContain('/reference/initiatePayment');
    expect(ids).not.toContain('/reference/createConsent');
  });

  it.each([
    ['interimAvailable', '/reference/readBalances', 'of an answer'],
    ['EveryTwoWeeks', '/reference/initiatePeriodicPayment', 'of a body'],
    ['pending', '/reference/listTransactions', 'of a parameter'],
  ])('returns for the enumeration value %s the page %s, which lists it as a value %s', (value, id) => {
    expect(search(value).map((hit) => hit.id)).toContain(id);
    expect(passages.find((passage) => passage.id === id)?.text).toMatch(
      new RegExp(`(?:one of|\\d codes)[^.]* ${value}\\b`),
    );
  });

  it('knows each error code, and each section of each guide, under an address that exists', () => {
    const ids = new Set(passages.map(({ id }) => id));
    expect(ids.size).toBe(passages.length);
    for (const code of errorCodes.keys()) expect(ids).toContain(`/errors/${code}`);
    for (const guide of guides.lev)
      for (const { id } of guide.sections) expect(ids).toContain(`/guides/${guide.name}#${id}`);
    for (const { id } of passages.filter(({ id }) => id.startsWith('/guides/'))) {
      const [path = '', anchor] = id.split('#');
      const guide = guides.lev.find(({ name }) => path === `/guides/${name}`);
      if (guide === undefined) throw new Error(`${path} does not exist`);
      if (anchor !== undefined)
        expect(guidePage(guides.lev, guide, baseUrl).text).toContain(` id="${anchor}"`);
    }
  });

  it('finds the products of the bank', () => {
    const inEuro = searchIn(passagesOf('bg-euro'))('instant-SEPA-credit-transfer');
    expect(inEuro.length).toBeGreaterThan(0);
    expect(
      JSON.stringify(passagesOf('bg-euro').filter(({ id }) => id.startsWith('/reference/'))),
    ).not.toMatch(/amount in BGN/);
  });

  it('shows the text around the first word that fits', () => {
    expect(search('retries')[0]?.excerpt[1]).toBe('retries');
    for (const { excerpt } of search('a bank')) expect(excerpt[0]).not.toMatch(/[a-z]$/i);
    for (const { text, excerpt } of search('token'))
      expect(text).toContain(excerpt.join('').replaceAll('…', ''));
  });
});

describe('the page with the results', () => {
  it('escapes the query and the texts', () => {
    const query = '"><script>alert(1)</script>';
    const hit = { ...passages[0]!, title: '<img src=x>', excerpt: ['<b>', '<i>', '</i>'] } as const;
    const { text } = searchPage(query, [hit]);
    expect(text).not.toMatch(/<script>alert|<img|<i>/);
    expect(searchPage(query, []).text).toContain('Nothing fits “&quot;&gt;&lt;script&gt;');
  });

  it('keeps the query in the field', () => {
    expect(searchPage('token', search('token')).text).toMatch(/name="q"\s+value="token"/);
    expect(searchPage('', []).text).toContain('Search in guides, reference and errors.');
  });
});
