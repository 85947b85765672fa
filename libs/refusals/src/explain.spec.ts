import { describe, expect, it } from '@jest/globals';
import { failures } from '@xs2a/domain/failure/failures';
import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import { explain, type RefusedCall } from './explain.js';
import { factPairs } from './fact-lines.js';

const today = '2027-03-01';
const setting = { today, standard: 'lev' } as const;
const refused = (over: Partial<RefusedCall> = {}): RefusedCall => ({
  operation: 'initiatePayment',
  status: 400,
  code: 'FORMAT_ERROR',
  failure: 'fieldMalformed',
  path: 'instructedAmount.amount',
  ...over,
});
const inEuro = { today, standard: 'euro' } as const;
const rulesOf = (call: RefusedCall): string[] | undefined =>
  explain(call, setting)?.rules.map(({ rule, title }) => `${rule} ${title}`);
const linesOf = (call: RefusedCall): string[] | undefined =>
  explain(call, setting)?.corrected?.lines.map(({ text }) => text);
const marked = (call: RefusedCall): string[] | undefined =>
  explain(call, setting)
    ?.corrected?.lines.filter(({ isField }) => isField)
    .map(({ text }) => text.trim());

describe('why a call was refused', () => {
  it('is known for every failure', () => {
    const unexplained = Object.entries(failures).filter(
      ([failure, [status, code]]) =>
        explain(refused({ failure, status, code, path: null }), setting)?.rules.length !== 1,
    );
    expect(unexplained).toEqual([]);
  });

  it('is the rule of the failure, then that of the field, and the advice', () => {
    expect(rulesOf(refused())).toEqual(['contract 3 Errors by situation', 'contract 8 Money']);
    expect(rulesOf(refused({ path: 'payments[17].creditorAccount.iban' }))).toEqual([
      'contract 3 Errors by situation',
      'contract 8 Fields beyond the table',
    ]);
    expect(rulesOf(refused({ path: 'creditorName' }))).toEqual(['contract 3 Errors by situation']);
    expect(explain(refused(), setting)?.advice).toBe(failures.fieldMalformed[2]);
  });

  describe('under a payment service that is known', () => {
    const ofService = (call: Partial<RefusedCall>, service: PaymentService) =>
      explain(refused(call), { ...setting, service });
    const firstLine = (call: Partial<RefusedCall>, service: PaymentService) =>
      ofService(call, service)?.corrected?.lines[0]?.text;

    it('shows a request of that service', () => {
      const header = { failure: 'headerMalformed', path: 'X-API-Version' };
      expect(firstLine(header, 'periodic-payments')).toBe('POST /v1/periodic-payments/{payment-product}');
      expect(firstLine({ path: 'PSU-IP-Address' }, 'bulk-payments')).toBe(
        'POST /v1/bulk-payments/{payment-product}',
      );
      expect(firstLine({ path: 'startDate' }, 'periodic-payments')).toBe(
        'POST /v1/periodic-payments/domestic',
      );
      expect(firstLine({ path: 'payments[3].instructedAmount.amount' }, 'bulk-payments')).toBe(
        'POST /v1/bulk-payments/domestic-credit-transfer-BGN',
      );
      expect(firstLine({ failure: 'productWrong', status: 403, path: null }, 'periodic-payments')).toBe(
        'POST /v1/periodic-payments/domestic',
      );
    });

    it('shows the product that was called, without a field that it does not have', () => {
      const call = { failure: 'fieldNotApplicable', path: 'purposeCode' };
      const product = 'domestic-credit-transfer-BGN';
      const lines = explain(refused(call), { ...setting, service: 'payments', product })?.corrected?.lines;
      expect(lines?.[0]?.text).toBe(`POST /v1/payments/${product}`);
      expect(lines?.filter(({ text, isField }) => isField || text.includes('purposeCode'))).toEqual([]);
      const shared = explain(refused(), { ...setting, service: 'payments', product: 'SEPA-Credit-Transfer' });
      expect(shared?.corrected?.lines[0]?.text).toBe('POST /v1/payments/SEPA-Credit-Transfer');
      expect(shared?.corrected?.lines.filter(({ isField }) => isField)).toHaveLength(1);
    });

    it('names the products of that service, and of no other', () => {
      const unknown = { failure: 'productUnknown', status: 404, code: 'PRODUCT_UNKNOWN', path: null };
      expect(ofService(unknown, 'periodic-payments')?.steps).toEqual([
        'Repeat the request under a product of periodic-payments: domestic',
      ]);
      expect(ofService(unknown, 'bulk-payments')?.steps?.join()).toMatch(
        /-BGN, domestic-budget-transfer-BGN$/,
      );
    });

    it('describes a field of another service as unknown', () => {
      expect(ofService({ path: 'startDate' }, 'payments')?.field?.path).toBe('');
    });
  });

  it('is one rule if the failure and the field have the same', () => {
    const call = refused({ failure: 'consentHeaderDiffers', path: 'Consent-ID', operation: 'readAccount' });
    expect(rulesOf(call)).toEqual(['contract 2 Sent by the TPP']);
  });

  it('is found by status and code for a row of an older gateway, if only one failure has them', () => {
    const old = { failure: null, path: null };
    expect(rulesOf(refused({ ...old, status: 401, code: 'TOKEN_EXPIRED' }))?.[0]).toMatch(/^spec 5\.4 /);
    expect(explain(refused(old), setting)).toBeUndefined();
  });

  it('is not known for a failure, operation or field of another release, and that is no error', () => {
    for (const name of ['noSuchFailure', 'toString', '__proto__'])
      expect(explain(refused({ failure: name }), setting)).toBeUndefined();
    for (const operation of ['noSuchOperation', 'constructor', '__proto__'])
      expect(explain(refused({ operation, path: 'x' }), setting)?.corrected).toBeUndefined();
    for (const path of ['__proto__.x', 'a..b', '', '?', '[0]', 'no.such.field'])
      expect(explain(refused({ path }), setting)?.rules).toHaveLength(1);
  });
});

describe('the field of a refusal', () => {
  it('has what the API description says about it', () => {
    const { field } = explain(refused({ path: 'serviceLevel' }), setting) ?? {};
    expect(field?.forms.map(({ facts, requests }) => [facts.values, requests])).toEqual([
      [['NURG', 'URGP'], expect.arrayContaining(['POST /v1/payments/domestic-credit-transfer-BGN'])],
      [['SEPA'], ['POST /v1/payments/SEPA-Credit-Transfer']],
      [['SDVA', 'NEXT', 'SPOT', 'URGP'], ['POST /v1/payments/cross-border-credit-transfer']],
    ]);
    const [first] = field?.forms ?? [];
    expect(factPairs(first?.facts ?? {})).toEqual([
      ['meaning', expect.stringContaining('NURG payment through the national clearing system')],
      ['mandatory', 'yes'],
      ['type', 'string'],
      ['one of', 'NURG, URGP'],
    ]);
  });

  it('is the object with its members if the client sent an unknown one', () => {
    const unknown = { failure: 'fieldUnknown', path: 'debtorAccount.?' };
    const { field } = explain(refused(unknown), setting) ?? {};
    expect([field?.path, field?.forms[0]?.facts.members]).toEqual([
      'debtorAccount',
      ['iban', 'currency?', 'cashAccountType?'],
    ]);
    expect(
      explain(refused({ ...unknown, operation: 'createConsent', path: '?' }), setting)?.field?.path,
    ).toBe('');
  });
});

describe('a corrected request', () => {
  it('is the example of the operation with the field marked, and dates as far from today as in the description', () => {
    expect(marked(refused())).toEqual(['"amount": "12.50"']);
    expect(linesOf(refused())?.[0]).toBe('POST /v1/payments/domestic-credit-transfer-BGN');
    const consent = refused({ operation: 'createConsent', path: 'validUntil' });
    expect(marked(consent)).toEqual(['"validUntil": "2027-05-12",']);
  });

  it('is one of the bank’s standard for payments', () => {
    const linesInEuro = (path: string) =>
      explain(refused({ path }), inEuro)?.corrected?.lines.map(({ text }) => text.trim());
    const lines = linesInEuro('instructedAmount.amount');
    expect(lines?.[0]).toBe('POST /v1/payments/SEPA-Credit-Transfer');
    expect(lines).toContain('"currency": "EUR",');
    expect(lines?.join('\n')).not.toMatch(/BGN|NURG/);
    expect(linesInEuro('budgetPaymentDetails.taxpayerId')?.[0]).toBe(
      'POST /v1/payments/domestic-budget-transfer-EUR',
    );
    const { field } = explain(refused({ path: 'serviceLevel' }), inEuro) ?? {};
    expect(field?.forms.flatMap(({ facts }) => facts.values)).not.toContain('NURG');
  });

  it('is that of a body which has the field', () => {
    expect(linesOf(refused({ path: 'startDate' }))?.[0]).toBe('POST /v1/periodic-payments/domestic');
    expect(linesOf(refused({ path: 'payments[3].creditorName' }))?.[0]).toMatch(
      /^POST \/v1\/bulk-payments\//,
    );
    const whole = linesOf(refused({ path: 'payments[1].remittanceInformationUnstructured' }))?.slice(1);
    expect(Array.isArray(JSON.parse(whole?.join('\n') ?? '')['payments'])).toBe(true);
  });

  it('contains an optional field that the example lacks, without what excludes it', () => {
    const other = refused({ path: 'creditorAccount.other.identification' });
    const lines = linesOf(other)?.map((line) => line.trim()) ?? [];
    expect(lines).toContain('"identification": "Proprietary identification"');
    const account = lines.indexOf('"creditorAccount": {');
    expect(lines[account + 1]).toBe('"other": {');
  });

  it('is a line for a header or a parameter', () => {
    expect(linesOf(refused({ failure: 'headerMalformed', path: 'PSU-IP-Address' }))).toEqual([
      'POST /v1/payments/{payment-product}',
      'PSU-IP-Address: 203.0.113.7',
    ]);
    expect(
      linesOf({
        operation: 'listTransactions',
        status: 400,
        code: 'PARAMETER_NOT_SUPPORTED',
        failure: 'parameterNotSupported',
        path: 'bookingStatus',
      }),
    ).toEqual(['GET /v1/accounts/{account-id}/transactions?bookingStatus=booked']);
    const delta = { operation: 'listTransactions', failure: 'fieldMalformed', path: 'deltaList' };
    expect(linesOf(refused(delta))).toEqual(['GET /v1/accounts/{account-id}/transactions?deltaList=true']);
    expect(linesOf(refused({ failure: 'acceptExcludesJson', path: 'Accept' }))?.[1]).toBe(
      'Accept: application/json',
    );
  });

  it('has the path and the query of the call if they may be shown, and headers that the caller can send', () => {
    const inFull = (call: Partial<RefusedCall>, address: string) =>
      explain(refused(call), { ...setting, address, own: { redirectUri: 'https://own.example' } })?.corrected;
    const texts = (call: Partial<RefusedCall>, address: string) =>
      inFull(call, address)?.lines.map(({ text }) => text);
    const payment = '/v1/payments/domestic-credit-transfer-BGN';
    expect(texts({ failure: 'headerMalformed', path: 'TPP-Redirect-URI' }, payment)).toEqual([
      `POST ${payment}`,
      'TPP-Redirect-URI: https://own.example',
    ]);
    const list = { operation: 'listTransactions', failure: 'fieldMalformed' };
    const account = '/v1/accounts/abc/transactions';
    expect(texts({ ...list, path: 'pageSize' }, `${account}?bookingStatus=both&pageSize=0`)).toEqual([
      `GET ${account}?bookingStatus=both&pageSize=50`,
    ]);
    const period = { ...list, failure: 'periodInvalid', path: 'dateFrom' };
    expect(texts(period, `${account}?dateFrom=2027-02-20&dateTo=2026-01-01`)).toEqual([
      `GET ${account}?dateFrom=2027-02-10&dateTo=2027-03-01`,
    ]);
    expect(inFull({ path: 'PSU-IP-Address' }, payment)?.rest).toBe('other headers and body');
    expect(inFull({ ...list, path: 'pageSize' }, account)?.rest).toBe('headers');
    expect(inFull({ ...list, path: 'Accept' }, account)?.rest).toBe('other headers');
    expect(inFull({}, payment)?.rest).toBe('headers');
  });

  it.each([
    [['deltaList'], 'deltaList=true&dateFrom=2027-02-10', 'deltaList=true'],
    [['itemsPerPage'], 'pageSize=10&itemsPerPage=20', 'itemsPerPage=1'],
    [['pageSize', 'bookingStatus'], 'pageSize=0&bookingStatus=x', 'pageSize=50&bookingStatus=booked'],
    [
      ['bookingStatus'],
      'bookingStatus=x&dateFrom=2027-02-20&dateTo=2027-01-01',
      'bookingStatus=booked&dateFrom=2027-02-10&dateTo=2027-03-01',
    ],
    [['cursor'], 'bookingStatus=both&cursor=abc', 'bookingStatus=both'],
    [['entryReferenceFrom'], 'entryReferenceFrom=nope', ''],
  ])('corrects %j, and what contradicts it, in a query', ([path = '', ...otherPaths], sent, corrected) => {
    const address = `/v1/accounts/abc/transactions?${sent}`;
    const call = refused({ operation: 'listTransactions', path, otherPaths });
    expect(explain(call, { ...setting, address })?.corrected?.lines.map(({ text }) => text)).toEqual([
      `GET /v1/accounts/abc/transactions${corrected === '' ? '' : `?${corrected}`}`,
    ]);
  });

  it('has every header that was wrong, and the body if it was wrong too', () => {
    const address = '/v1/payments/domestic-credit-transfer-BGN';
    const call = refused({ path: 'PSU-IP-Address', otherPaths: ['X-Request-ID', 'creditorName'] });
    const { lines = [], rest } = explain(call, { ...setting, address })?.corrected ?? {};
    expect(lines.filter(({ isField }) => isField).map(({ text }) => text.trim().split(':')[0])).toEqual([
      'PSU-IP-Address',
      'X-Request-ID',
      '"creditorName"',
    ]);
    expect(rest).toBe('other headers');
  });

  it('has values of the caller where only the caller has them', () => {
    const own = { redirectUri: 'https://own.example/back', psuId: 'ivan', reference: 'INV-5f0ac1d2' };
    const textsOf = (call: Partial<RefusedCall>, more: object = {}) =>
      explain(refused(call), { ...setting, own, ...more })?.corrected?.lines.map(({ text }) => text.trim());
    expect(textsOf({})).toContain('"endToEndIdentification": "INV-5f0ac1d2",');
    expect(textsOf({ path: 'payments' }, { service: 'bulk-payments' })).toEqual(
      expect.arrayContaining([
        '"endToEndIdentification": "INV-5f0ac1d2-1",',
        '"endToEndIdentification": "INV-5f0ac1d2-2",',
      ]),
    );
    expect(textsOf({ operation: 'visit', path: 'uri' })).toContain('"uri": "https://own.example/back"');
    expect(textsOf({ operation: 'createConsent', path: 'PSU-ID' })).toContain('PSU-ID: ivan');
    const basket = explain(refused({ operation: 'createBasket', path: 'paymentIds' }), setting)?.corrected;
    expect(basket?.hasSampleIds).toBe(true);
    const funds = explain(
      refused({ operation: 'confirmFunds', path: 'account.currency' }),
      setting,
    )?.corrected;
    expect(funds?.hasSampleIds).toBe(true);
    expect(explain(refused(), setting)?.corrected?.hasSampleIds).toBe(false);
  });

  it('is of the product that the answer recommends', () => {
    const text =
      'These details do not match this type of payment. Send them to /payments/cross-border-credit-transfer, with the fields of that product.';
    const call = refused({ failure: 'productWrong', status: 403, path: null, text });
    const place = { service: 'payments', product: 'SEPA-Credit-Transfer', currencies: ['BGN'] } as const;
    expect(explain(call, { ...setting, ...place })?.corrected?.lines[0]?.text).toBe(
      'POST /v1/payments/cross-border-credit-transfer',
    );
  });

  it('is replaced by the path of a payment that was called under another product', () => {
    const call = refused({ operation: 'readPayment', failure: 'productWrong', status: 403, path: null });
    const { corrected, steps } = explain(call, setting) ?? {};
    expect(corrected).toBeUndefined();
    expect(steps?.[0]).toContain('Location header of the POST');
  });

  it('is of a product that the bank can pay', () => {
    const call = refused({ failure: 'productWrong', status: 403, path: null });
    const place = { service: 'payments', product: 'SEPA-Credit-Transfer' } as const;
    const firstLine = (currencies: readonly string[]) =>
      explain(call, { ...setting, ...place, currencies })?.corrected?.lines[0]?.text;
    const isOther = (currencies: readonly string[]) =>
      explain(call, { ...setting, ...place, currencies })?.corrected?.isOfOtherProduct;
    expect([isOther(['BGN']), isOther(['EUR'])]).toEqual([true, false]);
    expect(firstLine(['BGN'])).toBe('POST /v1/payments/domestic-credit-transfer-BGN');
    expect(firstLine(['BGN', 'EUR'])).toBe('POST /v1/payments/SEPA-Credit-Transfer');
    // A bank after its switch-over has none of the currencies of an earlier call.
    expect(firstLine(['XXX'])).toBe('POST /v1/payments/SEPA-Credit-Transfer');
  });

  it('is replaced by the calls that help if the form of the request was right', () => {
    const stepsOf = (operation: string, failure: string): readonly string[] | undefined =>
      explain(refused({ operation, failure, path: null }), setting)?.steps;
    expect(stepsOf('initiatePayment', 'tokenMissing')).toEqual([
      'POST /oauth2/token: grant_type=client_credentials, scope=PSP_PI',
      'Repeat POST /v1/payments/{payment-product}',
    ]);
    expect(stepsOf('listAccounts', 'tokenExpired')).toEqual([
      'POST /oauth2/token: grant_type=refresh_token',
      'Repeat GET /v1/accounts',
    ]);
    expect(stepsOf('confirmFunds', 'tokenMissing')?.[0]).toContain('scope=PSP_IC');
    expect(explain(refused({ failure: 'idempotencyKeyReused' }), setting)?.corrected).toBeUndefined();
  });
});
