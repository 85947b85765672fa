import { describe, expect, it } from '@jest/globals';
import { otpBinding } from '@xs2a/domain/sca/otp-binding';
import type { ShownRow } from '@xs2a/domain/sca/signature-evidence';
import { signedPayment } from '@xs2a/domain/sca/signed-payment';
import { encryptMembers } from '@xs2a/event-store/encryption/encrypted-members';
import { canonicalJson, chainHash } from '@xs2a/event-store/streams/hash-chain';
import { fieldsOf } from '@xs2a/events/field-tables';
import { showsContent } from '@xs2a/resources/dispute-bundle/signature-checks';
import * as fc from 'fast-check';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { readText } from './sources.js';

const page = readText(join('docs', 'verify-bundle.html'));
const partOf = (tag: string): string => new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(page)?.[1] ?? '';

/** The functions of the page's script, which use no document. */
interface Verifier {
  canonicalJson(value: unknown): string;
  chainHash(prevHash: string, streamId: string, event: object): Promise<string>;
  decrypt(event: { readonly eventId: string; readonly stored: unknown }, key: string): Promise<unknown>;
  bindingOf(event: object): string;
  showsContent(rows: readonly ShownRow[], orders: readonly object[], isBulk: boolean): boolean;
}
const { crypto, atob, btoa, TextEncoder, TextDecoder, Blob, Response, DecompressionStream } = globalThis;
const verifier = runInContext(
  `${partOf('script')}\n({ canonicalJson, chainHash, decrypt, bindingOf, showsContent })`,
  createContext({
    crypto,
    atob,
    btoa,
    TextEncoder,
    TextDecoder,
    Blob,
    Response,
    DecompressionStream,
    Uint8Array,
  }),
) as Verifier;

const names = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((name) => name !== '__proto__');
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 5 }),
  ),
})).value;

describe('the page that verifies dispute bundles (docs/verify-bundle.html)', () => {
  it('runs only its own script and style, and loads nothing', () => {
    const digest = (text: string): string => createHash('sha256').update(text).digest('base64');
    const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(page)?.[1];
    expect(policy?.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'sha256-${digest(partOf('script'))}'`,
      `style-src 'sha256-${digest(partOf('style'))}'`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(page).not.toMatch(/<(?:link|img|iframe|script\s)|\bon\w+="|innerHTML|\b(?:src|href)=/);
  });

  it('writes JSON as the store hashes it', () => {
    fc.assert(fc.property(json, (value) => expect(verifier.canonicalJson(value)).toBe(canonicalJson(value))));
  });

  it('computes the hash of an event as the store does', async () => {
    await fc.assert(
      fc.asyncProperty(json, json, fc.string(), async (stored, meta, type) => {
        const prevHash = randomBytes(32);
        const head = {
          eventId: 'e',
          version: 3,
          type,
          schemaVersion: 1,
          occurredAt: '2026-11-20T10:00:00.000Z',
        };
        const expected = chainHash(
          prevHash,
          { ...head, streamId: 's' },
          canonicalJson(stored),
          canonicalJson(meta),
        );
        const found = await verifier.chainHash(prevHash.toString('hex'), 's', { ...head, stored, meta });
        expect(found).toBe(expected.toString('hex'));
      }),
    );
  });

  it('decrypts what the store encrypts, whatever its size and shape', async () => {
    const table = { plain: 'plain', list: { plain: 'plain', secret: 'personal' } } as const;
    const fields = fieldsOf<{
      readonly plain: string;
      readonly list: readonly { readonly plain: string; readonly secret: string }[];
    }>(table);
    const key = randomBytes(32);
    const texts = fc.string({ unit: 'grapheme', maxLength: 300 });
    const shape = fc.record({
      plain: texts,
      more: json,
      list: fc.array(fc.record({ plain: texts, secret: texts }), { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(shape, async (data) => {
        const stored: unknown = JSON.parse(
          canonicalJson(encryptMembers(data, { fields, key, place: 'event e' })),
        );
        const found = await verifier.decrypt({ eventId: 'e', stored }, key.toString('base64'));
        expect(canonicalJson(found)).toBe(canonicalJson(data));
        await expect(
          verifier.decrypt({ eventId: 'f', stored }, key.toString('base64')),
        ).rejects.toBeDefined();
      }),
    );
  });

  it('computes what a code is bound to as the pages do, for every payment service', () => {
    const order = (name: string, minor: number) => ({
      amount: { minor, currency: 'BGN' },
      debtorIban: 'BG25XSBK92001000000001',
      creditorAccount: 'BG80BNBG96611020345678',
      creditorName: name,
      remittance: 'x',
    });
    const schedule = {
      startDate: '2026-12-01',
      frequency: 'Monthly',
      executionRule: 'following',
      dayOfExecution: 1,
      monthsOfExecution: [12, 3, 6],
    } as const;
    const [one, other] = [order('Мария', 1250), order('"Acme"', 7)];
    const paymentId = 'p';
    const cases = [
      ['initiated', { order: one }, { service: 'payments', orders: [one] }],
      [
        'order-initiated',
        { order: one, schedule },
        { service: 'periodic-payments', orders: [one], schedule },
      ],
      ['bulk-initiated', { orders: [one, other] }, { service: 'bulk-payments', orders: [one, other] }],
    ] as const;
    for (const [type, data, payment] of cases)
      expect(verifier.bindingOf({ type, data: { paymentId, ...data } })).toBe(
        otpBinding(signedPayment({ paymentId, ...payment })),
      );
  });

  it('compares the rows of the signed page with the payment as the operator’s command does', () => {
    const amounts = fc.constantFrom('12,50 лв.', 'BGN 12.50', '6,39 € (12,50 лв.)', '1.25 BGN', '12.50', '');
    const value = fc.constantFrom('Мария', 'Acme Ltd', 'Acme  Ltd', 'ACC 12', 'ACC12', '2', 'x');
    const creditorName = fc.constantFrom('Мария', 'Acme Ltd', 'Acme  Ltd ');
    const creditorAccount = fc.constantFrom('ACC 12', 'ACC  12', 'ACC12');
    const shows = fc.constantFrom('payee', 'payeeAccount', 'count', undefined);
    const others = fc.array(fc.record({ label: fc.constant('l'), value, shows }), { maxLength: 4 });
    const payees = fc.record({ creditorName, creditorAccount });
    fc.assert(
      fc.property(amounts, others, payees, fc.boolean(), (amount, more, payee, isBulk) => {
        const order = {
          ...payee,
          amount: { minor: 1250, currency: 'BGN' },
          debtorIban: 'BG25XSBK92001000000001',
          remittance: 'x',
        };
        const half = { ...order, amount: { minor: 625, currency: 'BGN' } };
        const rows: readonly ShownRow[] = [{ label: 'a', value: amount, shows: 'amount' }, ...more];
        const orders = isBulk ? [half, half] : [order];
        expect(verifier.showsContent(rows, orders, isBulk)).toBe(showsContent(rows, orders, isBulk));
      }),
      { numRuns: 500 },
    );
  });
});
