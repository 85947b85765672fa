import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import {
  awayFromMidnight,
  listCodes,
  dayFrom,
  listPaths,
  periodicPath,
  periodicPayment,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
let iban: string;
let today: string;

beforeAll(async () => {
  world = await World.ofLane();
  await awayFromMidnight(world);
  tpp = world.tpp();
  iban = (await world.person()).accounts[0]?.iban ?? '';
});
beforeEach(async () => {
  token = await tpp.applicationToken();
  today = dayFrom(await sandboxNow(world), 0);
});
afterAll(async () => world.stop());

const body = (changes: object = {}): Record<string, unknown> =>
  periodicPayment(iban, dayFrom(`${today}T12:00:00Z`, 30), { ...changes });
const post = async (
  json: unknown,
  path = periodicPath,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => tpp.call('POST', path, token, { json, headers });
/** Returns a summary such as `400 FORMAT_ERROR startDate`, one for each message, or `201` if the order was created. */
const summarise = (answer: Answer): string[] =>
  answer.status === 201
    ? ['201']
    : listCodes(answer).map((code, index) => `${answer.status} ${code} ${listPaths(answer)[index] ?? '-'}`);
const malformed = (...paths: readonly string[]): string[] => paths.map((path) => `400 FORMAT_ERROR ${path}`);

describe('periodic order initiation paths (spec 4.6, contract 1 and 9)', () => {
  it.each([
    '/v1/periodic-payments/domestic',
    '/periodic-payments/domestic',
    '/v1/periodic-payments/Domestic/',
    periodicPath,
    '/periodic-payments/DOMESTIC-credit-transfers-bgn',
  ])('POST %s returns 201 with links on the canonical path', async (path) => {
    const answer = await post(body(), path);
    expect(answer.status).toBe(201);
    const { paymentId, transactionStatus, _links } = parseJson<{
      paymentId: string;
      transactionStatus: string;
      _links: Record<string, { href: string }>;
    }>(answer);
    const self = `${periodicPath}/${paymentId}`;
    expect([transactionStatus, answer.headers.get('location')]).toEqual(['RCVD', self]);
    expect(answer.headers.get('aspsp-sca-approach')).toBe('REDIRECT');
    expect([_links['self']?.href, _links['status']?.href]).toEqual([self, `${self}/status`]);
    expect(_links['scaRedirect']?.href).toMatch(/^http:\/\/.*\/sca\//);
    for (const at of [self, `/v1/periodic-payments/domestic/${paymentId}`, self.slice(3)])
      expect(parseJson(await tpp.call('GET', `${at}/status`, token))).toEqual({ transactionStatus: 'RCVD' });
    expect(parseJson(await tpp.call('GET', self, token))).toMatchObject({
      ...body(),
      transactionStatus: 'RCVD',
      paymentType: 'DOMESTIC',
    });
  });

  it('return 403 PRODUCT_INVALID for any other known product, and 404 PRODUCT_UNKNOWN for an unknown product', async () => {
    for (const product of [
      'domestic-budget-transfer-BGN',
      'SEPA-Credit-Transfer',
      'cross-border-credit-transfer',
      'cross-border-transfers',
    ])
      expect([product, summarise(await post({}, `/v1/periodic-payments/${product}`))]).toEqual([
        product,
        ['403 PRODUCT_INVALID -'],
      ]);
    const announced = await post({}, '/v1/periodic-payments/domestic-budget-transfer-BGN');
    expect(announced.text).toContain('announced for a later release');
    expect(summarise(await post(body(), '/v1/periodic-payments/weekly'))).toEqual(['404 PRODUCT_UNKNOWN -']);
    expect(summarise(await post(body(), '/v1/payments/domestic'))).toEqual(['404 PRODUCT_UNKNOWN -']);
  });

  it('accept the published versions of the Periodic domestic API, and return 400 for any other version (spec 9)', async () => {
    const served = async (version?: string): Promise<unknown> => {
      const answer = await post(
        body(),
        periodicPath,
        version === undefined ? {} : { 'x-api-version': version },
      );
      return [...summarise(answer), answer.headers.get('x-api-version')];
    };
    expect(await served()).toEqual(['201', '1.3.2']);
    expect(await served('1.0.6')).toEqual(['201', '1.0.6']);
    expect(await served('1.0.0')).toEqual(['400 PARAMETER_NOT_SUPPORTED X-API-Version', null]);
  });

  it('return the first response for the same key and body under any name of the product, and 409 for a different body', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await post(body(), periodicPath, headers);
    const again = await post(body(), '/periodic-payments/domestic', headers);
    expect([first.status, again.text]).toEqual([201, first.text]);
    expect(summarise(await post(body({ frequency: 'Daily' }), periodicPath, headers))).toEqual([
      '409 STATUS_INVALID -',
    ]);
  });

  it('validate redirect URIs as for a payment: a URI with another origin gets 400, and nothing is created', async () => {
    const answer = await post(body(), periodicPath, { 'tpp-redirect-uri': 'https://elsewhere.example/' });
    expect(summarise(answer)).toEqual(malformed('TPP-Redirect-URI'));
  });
});

describe('the body of a periodic order (contract 9)', () => {
  it('may contain every field of a domestic payment and of a schedule', async () => {
    const taken: readonly object[] = [
      { endDate: '2099-12-31' },
      { startDate: today },
      { executionRule: 'following' },
      { executionRule: 'preceding', dayOfExecution: '31' },
      { dayOfExecution: '1' },
      { creditorAgent: 'RZBBBGSF', creditorAddress: { country: 'BG' } },
      ...['Daily', 'Weekly', 'EveryTwoWeeks', 'EveryTwoMonths', 'Quarterly', 'SemiAnnual', 'Annual'].map(
        (frequency) => ({ frequency }),
      ),
      { frequency: 'MonthlyVariable', monthsOfExecution: ['1'] },
      { frequency: 'MonthlyVariable', monthsOfExecution: '1 2 3 4 5 6 7 8 9 10 12'.split(' ') },
      { numberOfPayments: 1 },
      { numberOfPayments: 999, frequency: 'Annual' },
    ];
    for (const change of taken)
      expect([change, summarise(await post(body(change)))]).toEqual([change, ['201']]);
  });

  it('is refused for every invalid field, and the error contains the path', async () => {
    const refused: readonly (readonly [object, readonly string[]])[] = [
      [{ requestedExecutionDate: today }, ['requestedExecutionDate']],
      [{ startDate: undefined }, ['startDate']],
      [{ startDate: '2027-02-30' }, ['startDate']],
      [{ startDate: null }, ['startDate']],
      [{ endDate: 'never' }, ['endDate']],
      [{ endDate: '2099-12-31', numberOfPayments: 3 }, ['numberOfPayments']],
      [{ numberOfPayments: 0 }, ['numberOfPayments']],
      [{ numberOfPayments: 1000 }, ['numberOfPayments']],
      [{ numberOfPayments: 1.5 }, ['numberOfPayments']],
      [{ numberOfPayments: '3' }, ['numberOfPayments']],
      [{ executionRule: 'preceeding' }, ['executionRule']],
      [{ frequency: undefined }, ['frequency']],
      [{ frequency: 'monthly' }, ['frequency']],
      [{ dayOfExecution: '0' }, ['dayOfExecution']],
      [{ dayOfExecution: '32' }, ['dayOfExecution']],
      [{ dayOfExecution: '01' }, ['dayOfExecution']],
      [{ dayOfExecution: 1 }, ['dayOfExecution']],
      [{ frequency: 'Daily', dayOfExecution: '1' }, ['dayOfExecution']],
      [{ frequency: 'Weekly', dayOfExecution: '1' }, ['dayOfExecution']],
      [{ frequency: 'EveryTwoWeeks', dayOfExecution: '1' }, ['dayOfExecution']],
      [{ frequency: 'MonthlyVariable' }, ['monthsOfExecution']],
      [{ monthsOfExecution: ['1'] }, ['monthsOfExecution']],
      [{ frequency: 'MonthlyVariable', monthsOfExecution: [] }, ['monthsOfExecution']],
      [
        { frequency: 'MonthlyVariable', monthsOfExecution: '1 2 3 4 5 6 7 8 9 10 11 12'.split(' ') },
        ['monthsOfExecution'],
      ],
      [{ frequency: 'MonthlyVariable', monthsOfExecution: ['1', '1'] }, ['monthsOfExecution[1]']],
      [{ frequency: 'MonthlyVariable', monthsOfExecution: ['13'] }, ['monthsOfExecution[0]']],
      [{ frequency: 'MonthlyVariable', monthsOfExecution: [1] }, ['monthsOfExecution[0]']],
      [{ purposeCode: 'GOVT' }, ['purposeCode']],
      [{ serviceLevel: 'SEPA' }, ['serviceLevel']],
      [{ debtorAccount: { iban: 'BG00' } }, ['debtorAccount.iban']],
      [{ creditorName: 'a\u202eb' }, ['creditorName']],
      [{ payments: [] }, ['payments']],
    ];
    for (const [change, paths] of refused)
      expect([change, summarise(await post(body(change)))]).toEqual([change, malformed(...paths)]);
  });

  it('is answered with all errors together: those in the payment, those in its schedule, and unknown members', async () => {
    const answer = await post({
      surprise: 1,
      monthsOfExecution: ['1'],
      dayOfExecution: '32',
      frequency: 'Monthly',
      endDate: '2027-02-30',
      requestedExecutionDate: today,
      serviceLevel: 'x',
      debtorAccount: { iban },
    });
    expect(summarise(answer)).toEqual(
      malformed(
        'instructedAmount',
        'creditorAccount',
        'creditorName',
        'remittanceInformationUnstructured',
        'serviceLevel',
        'requestedExecutionDate',
        'startDate',
        'endDate',
        'dayOfExecution',
        'monthsOfExecution',
        'surprise',
      ),
    );
  });

  it('goes through the later validation stages in order: currency, type, dates, accounts', async () => {
    const euro = { instructedAmount: { currency: 'EUR', amount: '1.00' } };
    const abroad = { creditorAccount: { iban: 'DE89370400440532013000' } };
    const past = { startDate: dayFrom(`${today}T12:00:00Z`, -1) };
    const toSelf = { creditorAccount: { iban } };
    const stranger = { debtorAccount: { iban: 'BG26RZBB91551023456789' }, creditorAccount: { iban } };
    for (const [change, expected] of [
      [{ ...euro, ...abroad, ...past, serviceLevel: 'x' }, malformed('serviceLevel')],
      [{ ...euro, ...abroad, ...past }, ['400 PAYMENT_FAILED instructedAmount.currency']],
      [{ ...abroad, ...past }, ['403 PRODUCT_INVALID -']],
      [{ ...past, ...toSelf, endDate: '2020-01-01' }, ['400 EXECUTION_DATE_INVALID startDate']],
      [{ ...toSelf, endDate: today }, ['400 PERIOD_INVALID endDate']],
      [
        { ...toSelf, dayOfExecution: '31', startDate: '2099-01-01', endDate: '2099-01-30' },
        ['400 PERIOD_INVALID endDate'],
      ],
      [toSelf, ['400 PAYMENT_FAILED creditorAccount']],
      [stranger, ['400 PAYMENT_FAILED debtorAccount']],
      [{ debtorAccount: { iban, currency: 'EUR' } }, ['400 PAYMENT_FAILED debtorAccount']],
    ] as const)
      expect([change, summarise(await post(body(change)))]).toEqual([change, expected]);
  });
});
