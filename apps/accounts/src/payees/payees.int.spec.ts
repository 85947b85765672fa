import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSandboxPsu } from '@xs2a/contracts/accounts.contract';
import {
  answerPayee,
  type NamedPayee,
  type PayeeAnswer,
  verifyPayees,
} from '@xs2a/contracts/payees/payees.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import type { Failure } from '@xs2a/domain/failure/failures';
import type { PaymentPayee } from '@xs2a/domain/payee/payees-verified';
import { makeHashKeys } from '@xs2a/postgres/hash-keys';
import type { NamedKey } from '@xs2a/postgres/named-keys';
import { createPool } from '@xs2a/postgres/pool';
import { newId } from '@xs2a/runtime/ids';
import type { Pool } from 'pg';
import { runningAccounts, type RunningAccounts } from '../testing/running-accounts.js';
import { DisclosureLimits } from './disclosure-limits.js';

let service: RunningAccounts;
let pool: Pool;
beforeAll(async () => {
  service = await runningAccounts({ profile: 'bg-euro' });
  pool = createPool({ url: service.databaseUrl, name: 'payees-test', byKey: true });
}, 60_000);
afterAll(async () => {
  await pool.end();
  await service.close();
}, 30_000);

const ivan = 'BG25XSBK92001000000001';
const agent = (bicfi: string) => ({ financialInstitutionId: { bicfi } });
const question = (party: object, iban = ivan, requestingAgent = 'DEUTDEFF') => ({
  party,
  partyAccount: { iban },
  partyAgent: agent('XSBKBGSF'),
  requestingAgent: agent(requestingAgent),
});
const ask = async (body: unknown): Promise<PayeeAnswer> => service.callClient.call(answerPayee, { body });
const refusal = async (body: unknown): Promise<readonly Failure[]> =>
  ask(body).then(
    () => [],
    (error: unknown) => {
      if (error instanceof CallFailed) return error.failures;
      throw error;
    },
  );
const created = async (more: object = {}): Promise<{ readonly psuId: string; readonly iban: string }> => {
  const body = { name: 'Елена Стоянова', accounts: [{ currency: 'EUR', opening: '0.00' }], ...more };
  const idempotencyKey = { path: 'POST /sandbox/psus', hash: '' };
  const psu = await service.callClient.call(createSandboxPsu, { tppId: 'tpp', idempotencyKey, body });
  return { psuId: psu.psuId, iban: psu.accounts[0]?.iban ?? '' };
};
const verify = async (
  payees: readonly NamedPayee[],
  more: { readonly psuId?: string; readonly debtorIban?: string; readonly isBulk?: boolean } = {},
) =>
  service.callClient.call(verifyPayees, {
    psuId: newId(),
    paymentId: newId(),
    debtorIban: ivan,
    isBulk: false,
    payees,
    ...more,
  });
const verifyOne = async (payee: NamedPayee, psuId?: string): Promise<PaymentPayee | undefined> =>
  (await verify([payee], { psuId: psuId ?? newId() })).payees[0];
const dayMs = 24 * 60 * 60 * 1000;
const advance = (ms: number): void => service.clock.raiseTo(service.clock.offsetMs + ms);
const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const count = (values: readonly unknown[], value: unknown): number =>
  values.filter((one) => one === value).length;

describe('questions of other banks (contract E4.8)', () => {
  it('are answered in the form of the scheme, with the name of the nearest holder in Latin letters', async () => {
    expect(await ask(question({ name: 'Ivan Petrof' }))).toEqual({
      partyNameMatch: 'CMTC',
      matchedName: 'Ivan Petrov',
    });
    expect(await ask(question({ name: 'ИВАН ПЕТРОВ' }))).toEqual({ partyNameMatch: 'MTCH' });
    expect(await ask(question({ name: 'Georgi Petrov' }))).toEqual({ partyNameMatch: 'NMTC' });
  });

  it('about an account that is unknown, or at another bank, cannot be answered', async () => {
    for (const iban of ['BG26XSBK92001099999999', 'BG26RZBB91551023456789', 'BG14XSBV92001000000101'])
      expect(await ask(question({ name: 'Петър Иванов' }, iban))).toEqual({ partyNameMatch: 'NOAP' });
  });

  it('may have a register number in place of the name', async () => {
    const { iban } = await created({ corporateId: newId().slice(0, 35), eik: '999999995' });
    const of = (organisationId: object) => ({ identification: { organisationId } });
    const others = (identification: string) => of({ others: [{ identification }] });
    expect(await ask(question(others('999999995'), iban))).toEqual({ partyIdMatch: 'MTCH' });
    expect(await ask(question(others('9999999950009'), iban))).toEqual({ partyIdMatch: 'NMTC' });
    expect(await ask(question(of({ lei: '529900T8BM49AURSDO55' }), iban))).toEqual({ partyIdMatch: 'NOAP' });
    expect(await ask(question(others('999999995')))).toEqual({ partyIdMatch: 'NOAP' });
  });

  const named = question({ name: 'Ivan Petrov' });
  it.each<[string, unknown, readonly string[]]>([
    ['no object', 'text', ['bodyNotJson undefined']],
    [
      'nothing',
      {},
      ['party', 'partyAccount', 'partyAgent', 'requestingAgent'].map((path) => `fieldMissing ${path}`),
    ],
    ['neither name nor identification', question({}), ['fieldMalformed party']],
    [
      'both name and identification',
      question({ name: 'Ivan', identification: { organisationId: { lei: 'x' } } }),
      ['fieldMalformed party'],
    ],
    ['an empty name', question({ name: ' ' }), ['fieldMalformed party.name']],
    ['a name that is too long', question({ name: 'x'.repeat(141) }), ['fieldMalformed party.name']],
    [
      'an LEI of another form',
      question({ identification: { organisationId: { lei: 'x' } } }),
      ['fieldMalformed party.identification.organisationId.lei'],
    ],
    [
      'both lei and others',
      question({ identification: { organisationId: { lei: 'x', others: [] } } }),
      ['fieldMalformed party.identification.organisationId'],
    ],
    [
      'no others',
      question({ identification: { organisationId: { others: [] } } }),
      ['fieldMalformed party.identification.organisationId.others'],
    ],
    [
      'another member in others',
      question({ identification: { organisationId: { others: [{ identification: '1', issuer: 'x' }] } } }),
      ['fieldUnknown party.identification.organisationId.others[0].issuer'],
    ],
    [
      'a wrong IBAN',
      { ...named, partyAccount: { iban: 'BG26XSBK92001000000001' } },
      ['fieldMalformed partyAccount.iban'],
    ],
    ['no IBAN', { ...named, partyAccount: {} }, ['fieldMissing partyAccount.iban']],
    ['another bank', { ...named, partyAgent: agent('DEUTDEFF') }, ['fieldMalformed partyAgent']],
    [
      'wrong BICs',
      { ...named, partyAgent: agent('XSBK'), requestingAgent: agent('deutdeff') },
      [
        'fieldMalformed partyAgent.financialInstitutionId.bicfi',
        'fieldMalformed requestingAgent.financialInstitutionId.bicfi',
      ],
    ],
    ['another member', { ...named, purpose: 'x' }, ['fieldUnknown purpose']],
  ])('are refused with %s', async (_what, body, expected) => {
    expect((await refusal(body)).map(({ failure, path }) => `${failure} ${path}`)).toEqual(expected);
  });

  it('accept a branch of this bank', async () => {
    expect(await refusal({ ...named, partyAgent: agent('XSBKBGSFXXX') })).toEqual([]);
  });

  const askTogether = async (questions: number, bic: string): Promise<readonly Failure[]> =>
    (
      await Promise.all(
        times(questions).map(async (index) =>
          refusal(question({ name: 'Georgi Petrov' }, ivan, index % 2 === 0 ? bic : `${bic}XXX`)),
        ),
      )
    ).flat();

  it('may be 600 in a minute per bank, whatever its branch, also when they race (contract E4.9)', async () => {
    for (const _ of times(11)) expect(await askTogether(50, 'BNPAFRPP')).toEqual([]);
    const refused = await askTogether(100, 'BNPAFRPP');
    expect(refused).toHaveLength(50);
    for (const { failure, retryAfter = 0 } of refused) {
      expect(failure).toBe('payeeQuestionsExceeded');
      expect(retryAfter).toBeGreaterThanOrEqual(1);
      expect(retryAfter).toBeLessThanOrEqual(60);
    }
    expect(await refusal(question({ name: 'Georgi Petrov' }, ivan, 'COBADEFF'))).toEqual([]);
    advance(60_000);
    expect(await refusal(question({ name: 'Georgi Petrov' }, ivan, 'BNPAFRPP'))).toEqual([]);
  }, 30_000);

  it('may be 600 in any minute, also over the border of two minutes', async () => {
    const bic = 'INGBNL2A';
    expect(await askTogether(1, bic)).toEqual([]);
    advance(50_000);
    for (const _ of times(11)) expect(await askTogether(50, bic)).toEqual([]);
    expect(await askTogether(49, bic)).toEqual([]);
    const [refused] = await askTogether(1, bic);
    expect(refused?.failure).toBe('payeeQuestionsExceeded');
    expect(refused?.retryAfter).toBeLessThanOrEqual(10);
    // Only the first question is more than a minute ago.
    advance(10_000);
    expect(await askTogether(3, bic)).toHaveLength(2);
  }, 30_000);

  it('leave no trace of a bank that has asked nothing for a minute', async () => {
    const askers = async (): Promise<readonly unknown[]> =>
      (await pool.query('SELECT agent FROM payee_question ORDER BY agent')).rows.map(
        (row) => Object(row).agent,
      );
    await ask(question({ name: 'Georgi Petrov' }, ivan, 'COBADEFF'));
    await ask(question({ name: 'Georgi Petrov' }, ivan, 'BNPAFRPP'));
    expect(await askers()).toEqual(expect.arrayContaining(['BNPAFRPP', 'COBADEFF']));
    advance(60_000);
    await ask(question({ name: 'Georgi Petrov' }, ivan, 'RZBBBGSF'));
    expect(await askers()).toEqual(['RZBBBGSF']);
  });

  it('are answered to the scheme’s router, which sends a plain message', async () => {
    const message = { deadline: Date.now() + 3000, request: { body: named } };
    const reply = await service.nats.request(answerPayee.subject, JSON.stringify(message), { timeout: 3000 });
    expect(reply.json()).toEqual({ ok: { partyNameMatch: 'MTCH' } });
  });
});

describe('the disclosure of holders’ names (contract E4.9)', () => {
  it('is limited to five in 24 hours per account, over other banks and payers together, also when they race (contract E4.9)', async () => {
    const { iban } = await created();
    const near = { iban, name: 'Елена Стоянов' };
    const race = await Promise.all([
      ...times(6).map(async (index) => {
        const answer = await ask(
          question({ name: near.name }, iban, index % 2 === 0 ? 'DEUTDEFF' : 'COBADEFF'),
        );
        return 'partyNameMatch' in answer ? answer.partyNameMatch : undefined;
      }),
      ...times(6).map(async () => (await verifyOne(near))?.verdict),
    ]);
    expect(count(race, 'CMTC') + count(race, 'CLOSE_MATCH')).toBe(5);
    expect(count(race, 'NOAP') + count(race, 'NOT_POSSIBLE')).toBe(7);
    expect(await ask(question({ name: 'Елена Стоянова' }, iban))).toEqual({ partyNameMatch: 'MTCH' });
    expect(await ask(question({ name: 'Иван Петров' }, iban))).toEqual({ partyNameMatch: 'NMTC' });
    expect(await verifyOne(near)).toEqual({
      ...near,
      verdict: 'NOT_POSSIBLE',
      reason: 'disclosed-too-often',
    });
    advance(dayMs - 1000);
    expect((await verifyOne(near))?.verdict).toBe('NOT_POSSIBLE');
    advance(1001);
    expect(await verifyOne(near)).toEqual({
      ...near,
      verdict: 'CLOSE_MATCH',
      disclosedName: 'Елена Стоянова',
    });
  });

  it('is limited over a rotation of the keys', async () => {
    const { iban } = await created();
    const near = { iban, name: 'Елена Стоянов' };
    for (const _ of times(4)) expect((await verifyOne(near))?.verdict).toBe('CLOSE_MATCH');
    const before = { name: 'test', bytes: Buffer.alloc(32, 1) };
    const after = { name: 'next', bytes: Buffer.alloc(32, 2) };
    const limits = (...keys: readonly NamedKey[]) =>
      new DisclosureLimits(pool, makeHashKeys(keys), service.clock);
    const rotated = limits(after, before);
    expect(await rotated.mayDisclose({ iban })).toBe(true);
    expect(await rotated.mayDisclose({ iban })).toBe(false);
    expect((await verifyOne(near))?.verdict).toBe('NOT_POSSIBLE');
    const { iban: other } = await created();
    for (const _ of times(5)) expect(await rotated.mayDisclose({ iban: other })).toBe(true);
    expect(await limits(after).mayDisclose({ iban: other })).toBe(false);
  });

  it('is limited to five in 24 hours for an account at another bank, in bulk payments too', async () => {
    const elsewhere = { iban: 'BG84XSBV92001000000102', name: 'Име' };
    const race = await Promise.all(
      times(8).map(async (index) => (await verify([elsewhere], { isBulk: index % 2 === 0 })).payees[0]),
    );
    const verdicts = race.map((payee) => payee?.verdict);
    expect(count(verdicts, 'CLOSE_MATCH')).toBe(5);
    expect(count(verdicts, 'NOT_POSSIBLE')).toBe(3);
    advance(dayMs);
    expect((await verifyOne(elsewhere))?.verdict).toBe('CLOSE_MATCH');
  });

  it('is limited to twenty in 24 hours per PSU for single payments, also when they race (contract E4.9)', async () => {
    const { psuId } = await created();
    const near: NamedPayee[] = [];
    for (const _ of times(6)) near.push({ iban: (await created()).iban, name: 'Елена Стоянов' });
    const bulk = await verify(near, { psuId, isBulk: true });
    expect(bulk.payees.map(({ verdict }) => verdict)).toEqual(near.map(() => 'CLOSE_MATCH'));
    const four = times(4).flatMap(() => near);
    const race = await Promise.all(four.map(async (payee) => (await verifyOne(payee, psuId))?.verdict));
    expect(count(race, 'CLOSE_MATCH')).toBe(20);
    expect(count(race, 'NOT_POSSIBLE')).toBe(4);
    expect((await verifyOne({ iban: ivan, name: 'Иван Петров' }, psuId))?.verdict).toBe('MATCH');
    const later = { iban: (await created()).iban, name: 'Елена Стоянов' };
    expect((await verify([later], { psuId, isBulk: true })).payees[0]?.verdict).toBe('CLOSE_MATCH');
    expect((await verifyOne(later, psuId))?.verdict).toBe('NOT_POSSIBLE');
    advance(dayMs);
    expect((await verifyOne(later, psuId))?.verdict).toBe('CLOSE_MATCH');
  });
});

describe('the payees of a payment (contract E4.2, E4.11)', () => {
  it('are unverified after three seconds of silence', async () => {
    const begun = performance.now();
    const payee = { iban: 'BG73XSBV92001000000106', name: 'Име' };
    expect(await verifyOne(payee)).toEqual({ ...payee, verdict: 'NOT_POSSIBLE', reason: 'too-slow' });
    const took = performance.now() - begun;
    expect(took).toBeGreaterThanOrEqual(2900);
    expect(took).toBeLessThan(3500);
  });

  it('of a bulk payment are verified together within five seconds, in their order', async () => {
    const begun = performance.now();
    const ibans = ['BG73XSBV92001000000106', 'BG57XSBV92001000000103', 'BG03XSBV92001000000105'];
    const payees = times(60).map((index) => ({ iban: ibans[index % 3] ?? '', name: `Име ${index}` }));
    const verified = await verify(payees, { isBulk: true });
    const took = performance.now() - begun;
    expect(took).toBeLessThan(5800);
    expect(verified.payees.map(({ iban, name }) => ({ iban, name }))).toEqual(payees);
    const verdicts = verified.payees.map(({ verdict }) => verdict);
    expect(verdicts.slice(0, 3)).toEqual(['NOT_POSSIBLE', 'NO_MATCH', 'MATCH']);
    expect(verified.isOptedOut).toBe(false);
  }, 15_000);

  it('of a bulk payment are not verified if the company has opted out, but those of its single payments are', async () => {
    const corporate = { corporateId: newId().slice(0, 35), payeeVerificationOptOut: true };
    const { iban: debtorIban } = await created(corporate);
    const payees = [{ iban: ivan, name: 'Иван Петров' }];
    expect(await verify(payees, { debtorIban, isBulk: true })).toEqual({ isOptedOut: true, payees: [] });
    const verified = [{ ...payees[0], verdict: 'MATCH' }];
    expect(await verify(payees, { debtorIban })).toEqual({ isOptedOut: false, payees: verified });
    const other = await verify(payees, { isBulk: true });
    expect(other).toEqual({ isOptedOut: false, payees: verified });
  });
});

describe('a profile without verification of payees (contract 15)', () => {
  const asked = (bank: RunningAccounts) =>
    bank.callClient.call(answerPayee, { body: question({ name: 'Ivan Petrov' }) });
  const verified = (bank: RunningAccounts) =>
    bank.callClient.call(verifyPayees, {
      psuId: newId(),
      paymentId: newId(),
      debtorIban: ivan,
      isBulk: false,
      payees: [{ iban: ivan, name: 'Иван Петров' }],
    });
  const isUnknown = { failures: [{ failure: 'pathUnknown' }] };
  let lev: RunningAccounts;
  let off: RunningAccounts;
  beforeAll(async () => {
    lev = await runningAccounts();
    off = await runningAccounts({ profile: 'bg-euro', profileChange: { payeeVerification: 'off' } });
  }, 60_000);
  afterAll(async () => {
    await lev.close();
    await off.close();
  }, 30_000);

  it('in leva answers no questions about payees', async () => {
    await expect(asked(lev)).rejects.toMatchObject(isUnknown);
    await expect(verified(lev)).rejects.toMatchObject(isUnknown);
  });

  it('in euro answers the questions of other banks, and verifies no payees of its own', async () => {
    expect(await asked(off)).toEqual({ partyNameMatch: 'MTCH' });
    await expect(verified(off)).rejects.toMatchObject(isUnknown);
  });
});
