import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import type { BankCall } from '../../port/bank-call.js';
import type { PayeeAnswer, PayerContext } from '../../port/payees.js';
import { type FreshBank, freshBank } from '../../testing/fresh-bank.js';

let fresh: FreshBank;
beforeAll(async () => {
  fresh = await freshBank('bg-euro');
}, 60_000);
afterAll(() => fresh.close(), 30_000);

const created = async (body: object) => {
  const psu = await fresh.bank.tools.createPsu(body);
  if ('failures' in psu) throw new Error(JSON.stringify(psu.failures));
  return psu;
};
const call = (withinMs = 5000): BankCall => ({
  requestId: 'r-1',
  at: fresh.clock.now(),
  deadline: performance.now() + withinMs,
});
const ask = (iban: string, name: string, payer?: PayerContext): Promise<PayeeAnswer> =>
  fresh.bank.payees.verify({ iban, name }, call(), payer);
const identify = (iban: string, value: string, type: 'EIK' | 'LEI' = 'EIK'): Promise<PayeeAnswer> =>
  fresh.bank.payees.verify({ iban, identification: { type, value } }, call());
const since = async (work: Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work;
  return performance.now() - begun;
};

describe('the sandbox bank verifies the payees of its own accounts (contract E4.5)', () => {
  it('compares with a person, and discloses the name of one who is near', async () => {
    const ivan = 'BG25XSBK92001000000001';
    expect(await ask(ivan, 'Ivan Petrov')).toEqual({ verdict: 'MATCH' });
    expect(await ask(ivan, 'Ivan Petrof')).toEqual({ verdict: 'CLOSE_MATCH', name: 'Иван Петров' });
    expect(await ask(ivan, 'Georgi Petrov')).toEqual({ verdict: 'NO_MATCH' });
  });

  it('compares with all holders of an account', async () => {
    const holders = ['Мария Георгиева'];
    const { accounts } = await created({
      name: 'Иван Петров',
      accounts: [{ currency: 'EUR', opening: '0.00', holders }],
    });
    const iban = accounts[0]?.iban ?? '';
    expect(await ask(iban, 'Мария Георгиева')).toEqual({ verdict: 'MATCH' });
    expect(await ask(iban, 'Иван Петров и Мария Георгиева')).toEqual({ verdict: 'MATCH' });
    expect(await ask(iban, 'Елена Стоянова')).toEqual({ verdict: 'NO_MATCH' });
  });

  it('compares with the names of a company, and with its register number', async () => {
    const { accounts } = await created({
      accounts: [{ currency: 'EUR', opening: '0.00' }],
      corporateId: 'zora',
      corporateName: 'Зора ООД',
      otherNames: ['Zora Ltd', 'Dawn Trade'],
      eik: '999999995',
    });
    const iban = accounts[0]?.iban ?? '';
    for (const name of ['ЗОРА', 'Zora OOD', 'Dawn Trade'])
      expect(await ask(iban, name)).toEqual({ verdict: 'MATCH' });
    expect(await identify(iban, '999999995')).toEqual({ verdict: 'MATCH' });
    expect(await identify(iban, '9999999950009')).toEqual({ verdict: 'NO_MATCH' });
    const unknown = { verdict: 'NOT_POSSIBLE', reason: 'identification-unknown' };
    expect(await identify(iban, '529900T8BM49AURSDO55', 'LEI')).toEqual(unknown);
    expect(await identify('BG25XSBK92001000000001', '999999995')).toEqual(unknown);
  });

  it('cannot verify an account that is unknown or closed, but can one that is blocked', async () => {
    const { accounts } = await created({
      name: 'Иван Петров',
      accounts: [{ currency: 'EUR', opening: '0.00' }],
    });
    const iban = accounts[0]?.iban ?? '';
    const unknown = { verdict: 'NOT_POSSIBLE', reason: 'account-unknown' };
    await fresh.bank.tools.changeAccountStatus(iban, { status: 'blocked' });
    expect(await ask(iban, 'Иван Петров')).toEqual({ verdict: 'MATCH' });
    await fresh.bank.tools.changeAccountStatus(iban, { status: 'closed' });
    expect(await ask(iban, 'Иван Петров')).toEqual(unknown);
    expect(await ask('BG26XSBK92001099999999', 'Иван Петров')).toEqual(unknown);
  });
});

describe('the sandbox bank answers for made-up accounts at other banks (contract 13, E8.2, E8.3)', () => {
  it.each([
    ['BG14XSBV92001000000101', { verdict: 'MATCH' }],
    ['BG84XSBV92001000000102', { verdict: 'CLOSE_MATCH', name: 'Пример Примеров' }],
    ['BG57XSBV92001000000103', { verdict: 'NO_MATCH' }],
    ['BG30XSBV92001000000104', { verdict: 'NOT_POSSIBLE', reason: 'bank-not-reached' }],
    ['BG30XSBV92001000000201', { verdict: 'MATCH' }],
    ['BG03XSBV92001000000202', { verdict: 'MATCH' }],
    ['BG73XSBV92001000000203', { verdict: 'MATCH' }],
    ['BG46XSBV92001000000204', { verdict: 'MATCH' }],
    ['BG19XSBV92001000000205', { verdict: 'MATCH' }],
    ['FR1420041010050500013M02606', { verdict: 'NOT_POSSIBLE', reason: 'bank-not-reached' }],
  ])('%s, whatever the name: %j', async (iban, answer) => {
    expect(await ask(iban, 'Всяко Име')).toEqual(answer);
  });

  it.each([
    ['BG26RZBB91551023456789', 'Петър Иванов', 'Peter Ivanov'],
    ['DE89370400440532013000', 'Max Mustermann', 'Max Mustermanm'],
    ['BG88BNBG96618000195001', 'НАП', undefined],
    ['BG39BNBG96613100195002', 'Общинска администрация', 'Общинска администрации'],
    ['BG53XSBV92008400000001', 'Община Примерна', 'Община Примерно'],
  ])('%s by name', async (iban, name, near) => {
    expect(await ask(iban, name)).toEqual({ verdict: 'MATCH' });
    if (near !== undefined) expect(await ask(iban, near)).toEqual({ verdict: 'CLOSE_MATCH', name });
    expect(await ask(iban, 'Всяко Име')).toEqual({ verdict: 'NO_MATCH' });
  });

  it('BG03XSBV92001000000105 takes two seconds, and BG73XSBV92001000000106 never answers', async () => {
    const took = await since(ask('BG03XSBV92001000000105', 'Всяко Име'));
    expect(took).toBeGreaterThanOrEqual(1990);
    for (const iban of ['BG73XSBV92001000000106', 'BG03XSBV92001000000105']) {
      const silent = fresh.bank.payees.verify({ iban, name: 'Всяко Име' }, call(100));
      await expect(silent).rejects.toMatchObject({ code: 'too-slow' });
    }
  });
});

describe('simulated answers about the payees of a PSU (contract 13, E8.4)', () => {
  const elsewhere = 'BG57XSBV92001000000103';
  const simulate = async (outcome: string, calls?: number): Promise<string> => {
    const { psuId } = await created({ accounts: [{ currency: 'EUR', opening: '0.00' }] });
    expect(await fresh.bank.tools.simulate({ psuId, outcome, calls })).toMatchObject({ psuId, outcome });
    return psuId;
  };

  it.each([
    ['payee-match', { verdict: 'MATCH' }],
    ['payee-close', { verdict: 'CLOSE_MATCH', name: 'Пример Примеров' }],
    ['payee-no-match', { verdict: 'NO_MATCH' }],
    ['payee-not-possible', { verdict: 'NOT_POSSIBLE', reason: 'bank-not-reached' }],
  ])('%s wins over the account for the next payment', async (outcome, answer) => {
    const psuId = await simulate(outcome);
    const payment = { psuId, paymentId: newId() };
    expect(await ask('BG30XSBV92001000000104', 'Всяко Име', payment)).toEqual(answer);
    expect(await ask('BG14XSBV92001000000101', 'Всяко Име', payment)).toEqual(answer);
    expect(await ask(elsewhere, 'Всяко Име', { psuId, paymentId: newId() })).toEqual({ verdict: 'NO_MATCH' });
  });

  it('payee-slow delays the usual answer by two seconds', async () => {
    const psuId = await simulate('payee-slow');
    expect(await since(ask(elsewhere, 'Всяко Име', { psuId, paymentId: newId() }))).toBeGreaterThanOrEqual(
      1990,
    );
  });

  it('counts each payment once, however many payees are asked about at the same time', async () => {
    const psuId = await simulate('payee-match', 3);
    const payments = Array.from({ length: 5 }, () => newId());
    const verdicts = await Promise.all(
      payments.map(async (paymentId) => {
        const answers = await Promise.all(
          Array.from({ length: 4 }, () => ask(elsewhere, 'Всяко Име', { psuId, paymentId })),
        );
        return [...new Set(answers.map(({ verdict }) => verdict))].join();
      }),
    );
    expect(verdicts.toSorted()).toEqual(['MATCH', 'MATCH', 'MATCH', 'NO_MATCH', 'NO_MATCH']);
  });
});
