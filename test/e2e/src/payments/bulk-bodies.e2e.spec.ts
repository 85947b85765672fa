import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { exampleBulk } from '@xs2a/domain/bulk/example-bulks';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import {
  bulkPath,
  bulkPayment,
  listCodes,
  dayFrom,
  listPaths,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
let iban: string;

beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
  iban = (await world.person()).accounts[0]?.iban ?? '';
});
beforeEach(async () => {
  token = await tpp.applicationToken();
});
afterAll(async () => world.stop());

type Entry = Readonly<Record<string, unknown>>;
const entry = (changes: object = {}): Entry => ({
  ...Object([bulkPayment(iban, ['1.00'])['payments']].flat()[0]),
  ...changes,
});
const bulk = (payments: unknown, changes: object = {}): Record<string, unknown> => ({
  ...bulkPayment(iban, []),
  payments,
  ...changes,
});
const many = (count: number, changes: Readonly<Record<number, object>> = {}): Entry[] =>
  Array.from({ length: count }, (_, index) => entry(changes[index]));
const post = async (
  json: unknown,
  path = bulkPath,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => tpp.call('POST', path, token, { json, headers });
const summarise = (answer: Answer): string[] =>
  answer.status === 201
    ? ['201']
    : listCodes(answer).map((code, index) => `${answer.status} ${code} ${listPaths(answer)[index] ?? '-'}`);
const malformed = (...paths: readonly string[]): string[] => paths.map((path) => `400 FORMAT_ERROR ${path}`);

describe('bulk initiation paths (contract 9)', () => {
  it.each([bulkPath, '/bulk-payments/Domestic-Credit-Transfers-BGN', `${bulkPath}/`])(
    'POST %s returns 201 with links on the same path, and GET returns the status of each entry',
    async (path) => {
      const body = bulk(many(2), { batchBookingPreferred: true });
      const answer = await post(body, path);
      expect(answer.status).toBe(201);
      const { paymentId, transactionStatus } = parseJson<{ paymentId: string; transactionStatus: string }>(
        answer,
      );
      const self = `${bulkPath}/${paymentId}`;
      expect([transactionStatus, answer.headers.get('location')]).toEqual(['RCVD', self]);
      expect(answer.headers.get('x-api-version')).toBeNull();
      expect(parseJson(await tpp.call('GET', `${self}/status`, token))).toEqual({
        transactionStatus: 'RCVD',
      });
      expect(parseJson(await tpp.call('GET', self, token))).toEqual({
        ...body,
        payments: many(2).map((one) => ({ ...one, transactionStatus: 'RCVD' })),
        transactionStatus: 'RCVD',
        paymentType: 'DOMESTIC',
      });
    },
  );

  it('accept domestic and budget payments; return 403 PRODUCT_INVALID for any other known product and 404 for an unknown one', async () => {
    const budget = { ...exampleBulk('domestic-budget-transfer-BGN'), debtorAccount: { iban } };
    const { requestedExecutionDate: _past, ...now } = budget as Record<string, unknown>;
    expect(summarise(await post(now, '/v1/bulk-payments/domestic-budget-transfer-BGN'))).toEqual(['201']);
    for (const product of ['SEPA-Credit-Transfer', 'cross-border-credit-transfer'])
      expect([product, summarise(await post({}, `/v1/bulk-payments/${product}`))]).toEqual([
        product,
        ['403 PRODUCT_INVALID -'],
      ]);
    for (const product of ['domestic', 'salaries'])
      expect(summarise(await post({}, `/v1/bulk-payments/${product}`))).toEqual(['404 PRODUCT_UNKNOWN -']);
  });

  it('return the first response for the same key and body, and 409 for a different body', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await post(bulk(many(2)), bulkPath, headers);
    const again = await post(bulk(many(2)), bulkPath, headers);
    expect([first.status, again.text]).toEqual([201, first.text]);
    expect(summarise(await post(bulk(many(3)), bulkPath, headers))).toEqual(['409 STATUS_INVALID -']);
  });
});

describe('the body of a bulk (contract 9)', () => {
  it('may contain 2 to 250 entries, repeated endToEnd ids, an execution date and a booking preference', async () => {
    const ahead = dayFrom(await sandboxNow(world), 30);
    for (const body of [
      bulk(many(2)),
      bulk(many(250)),
      bulk(many(2), { requestedExecutionDate: ahead, batchBookingPreferred: false }),
      bulk(many(2), { debtorAccount: { iban, currency: 'BGN' } }),
    ])
      expect(summarise(await post(body))).toEqual(['201']);
  });

  it('is refused for every invalid field, and the error contains the path', async () => {
    const refused: readonly (readonly [Record<string, unknown>, readonly string[]])[] = [
      [bulk([]), ['payments']],
      [bulk(many(1)), ['payments']],
      [bulk(many(251)), ['-']],
      [bulk(undefined), ['payments']],
      [bulk({ 0: entry() }), ['payments']],
      [bulk([entry(), 'x']), ['payments[1]']],
      [bulk(many(2), { debtorAccount: undefined }), ['debtorAccount']],
      [bulk(many(2), { batchBookingPreferred: 'true' }), ['batchBookingPreferred']],
      [bulk(many(2), { requestedExecutionDate: '2027-02-30' }), ['requestedExecutionDate']],
      [bulk(many(2), { startDate: '2027-02-03' }), ['startDate']],
      [bulk([entry(), entry({ debtorAccount: { iban } })]), ['payments[1].debtorAccount']],
      [
        bulk([entry({ requestedExecutionDate: '2099-01-01' }), entry()]),
        ['payments[0].requestedExecutionDate'],
      ],
      [bulk([entry(), entry({ creditorName: 'a\u200bb' })]), ['payments[1].creditorName']],
      [
        bulk([
          entry({ instructedAmount: { currency: 'BGN', amount: '90071992547409.91' } }),
          entry({ instructedAmount: { currency: 'BGN', amount: '0.01' } }),
        ]),
        ['payments'],
      ],
    ];
    for (const [body, paths] of refused) expect(summarise(await post(body))).toEqual(malformed(...paths));
  });

  it('is answered with the errors of all entries in order, each with its path: at most 100, the last of which states how many were omitted', async () => {
    const wrong = [
      { creditorAccount: { iban: 'BG00' } },
      { instructedAmount: { currency: 'BGN', amount: '0' } },
      { creditorName: undefined },
      { surprise: 1 },
      {},
    ];
    const paths = ['creditorAccount.iban', 'instructedAmount.amount', 'creditorName', 'surprise'];
    const answer = await post(
      bulk(
        Array.from({ length: 250 }, (_, index) => entry(wrong[index % 5])),
        { batchBookingPreferred: 1, requestedExecutionDate: 'soon', debtorAccount: {} },
      ),
    );
    const all = [
      'debtorAccount.iban',
      'requestedExecutionDate',
      'batchBookingPreferred',
      ...Array.from({ length: 250 }, (_, index) => `payments[${index}].${paths[index % 5] ?? ''}`).filter(
        (path) => !path.endsWith('.'),
      ),
    ];
    expect(summarise(answer)).toEqual(malformed(...all.slice(0, 99), '-'));
    expect(answer.text).toContain(`"${all.length - 99} more violations were left out.`);
  });

  it('is answered with a list of the missing fields if entries are empty', async () => {
    const lacking = [
      'instructedAmount',
      'creditorAccount',
      'creditorName',
      'remittanceInformationUnstructured',
      'serviceLevel',
    ];
    const answer = await post(bulk(Array.from({ length: 20 }, () => ({}))));
    expect(summarise(answer)).toEqual(
      malformed(
        ...Array.from({ length: 20 }, (_, index) =>
          lacking.map((name) => `payments[${index}].${name}`),
        ).flat(),
      ),
    );
  });

  it('may be up to 1 MiB long; a longer one gets 413, and one with too many numbers or members 400, never a 5xx', async () => {
    const sized = (bytes: number): string => {
      const text = JSON.stringify(bulk(many(2)));
      return text + ' '.repeat(bytes - Buffer.byteLength(text));
    };
    const raw = async (body: string): Promise<string[]> =>
      summarise(
        await tpp.call('POST', bulkPath, token, {
          raw: body,
          headers: { 'content-type': 'application/json' },
        }),
      );
    expect(await raw(sized(1024 * 1024))).toEqual(['201']);
    expect(await raw(sized(1024 * 1024 + 1))).toEqual(['413 FORMAT_ERROR -']);
    const numbers = Array.from({ length: 200_000 }, () => '1e20').join();
    expect(await raw(`{"payments":[${numbers}]}`)).toEqual(malformed('-'));
    const names = Array.from({ length: 60_000 }, (_, index) => `"field${index}":1`).join();
    expect(await raw(`{${names}}`)).toEqual(malformed('-'));
  });

  it('goes through the later validation stages in order, each reporting the errors in all entries', async () => {
    const euro = { instructedAmount: { currency: 'EUR', amount: '1.00' } };
    const abroad = { creditorAccount: { iban: 'DE89370400440532013000' } };
    const toSelf = { creditorAccount: { iban } };
    const past = { requestedExecutionDate: dayFrom(await sandboxNow(world), -2) };
    const stranger = { debtorAccount: { iban: 'BG26RZBB91551023456789' } };
    const ours = { creditorAccount: { iban } };
    for (const [changes, top, expected] of [
      [
        [euro, abroad, euro],
        past,
        [0, 2].map((n) => `400 PAYMENT_FAILED payments[${n}].instructedAmount.currency`),
      ],
      [[abroad, toSelf, abroad], past, [0, 2].map((n) => `403 PRODUCT_INVALID payments[${n}]`)],
      [[toSelf, {}], past, ['400 EXECUTION_DATE_INVALID requestedExecutionDate']],
      [[{}, toSelf], {}, ['400 PAYMENT_FAILED payments[1].creditorAccount']],
      [[ours, ours], stranger, ['400 PAYMENT_FAILED debtorAccount']],
      [[{}, {}], { debtorAccount: { iban, currency: 'EUR' } }, ['400 PAYMENT_FAILED debtorAccount']],
    ] as const)
      expect([changes, summarise(await post(bulk(changes.map(entry), top)))]).toEqual([changes, expected]);
  });
});
