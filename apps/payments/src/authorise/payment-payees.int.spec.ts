import { makeProfile } from '@xs2a/domain/testing/profiles';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyPaymentPayees } from '@xs2a/contracts/payees/payees.contract';
import * as contract from '@xs2a/contracts/payments.contract';
import { callFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import {
  body,
  catchFailure,
  euroAccount,
  payeesDouble,
  type PaymentsWorld,
  startPaymentsWorld,
} from '../testing/payments-world.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld(makeProfile('bg-euro'));
}, 60_000);
afterAll(async () => world.stop());
const usual = payeesDouble.answer;
afterEach(() => {
  payeesDouble.answer = usual;
});

const product = 'SEPA-Credit-Transfer';
const payee = 'BG80BNBG96611020345678';
const name = 'Мария Георгиев';
const initiated = async () => {
  const { serviceLevel: _none, ...sepa } = body({
    debtorAccount: { iban: euroAccount },
    instructedAmount: { amount: '12.50', currency: 'EUR' },
    creditorName: name,
  });
  return world.initiate({ product, body: sepa });
};
const accepted = async () => {
  const payment = await initiated();
  const ref = { paymentId: payment.paymentId, authorisationId: payment.authorisationId, psuId: 'ivan' };
  await world.ask(contract.paymentAuthorisation.identify, ref);
  return { payment, ref };
};
type Ref = Awaited<ReturnType<typeof accepted>>['ref'];
const verify = async (ref: Ref, instance = world.payments): Promise<unknown> =>
  instance.callClient.call(verifyPaymentPayees, { ...ref, language: 'bg', textsVersion: 'v' });
const shown = async (ref: Ref) => world.ask(contract.paymentAuthorisation.read, ref);

describe('the verification of a payee (contract E4.2, E4.10)', () => {
  it('is recorded once, with what was asked and answered, also when two instances ask at the same time', async () => {
    const { payment, ref } = await accepted();
    expect((await shown(ref)).awaitsPayees).toBe(true);
    await Promise.all(
      Array.from({ length: 10 }, async (_one, index) =>
        verify(ref, index % 2 === 0 ? world.payments : world.second),
      ),
    );
    expect(await world.eventTypes(ref.paymentId)).toEqual(['initiated', 'accepted', 'payee-verified']);
    const { awaitsPayees, payeesVerified } = await shown(ref);
    expect(awaitsPayees).toBeUndefined();
    expect(payeesVerified).toMatchObject({
      authorisationId: ref.authorisationId,
      language: 'bg',
      textsVersion: 'v',
      isOptedOut: false,
      payees: [{ iban: payee, name, verdict: 'CLOSE_MATCH', disclosedName: 'Мария Георгиева' }],
    });
    const view = await world.ask(contract.readPayment, { ...payment, product });
    expect(view.payeeVerification).toEqual({
      result: 'CLOSE_MATCH',
      verifiedAt: payeesVerified?.answeredAt,
    });
    expect(view.transactionStatus).toBe('ACCP');
  });

  it('asks the bank once, however many signers come to two instances at the same time (E4.2)', async () => {
    const { ref } = await accepted();
    let questions = 0;
    payeesDouble.answer = (request) => {
      questions += 1;
      return usual(request);
    };
    await Promise.all(
      Array.from({ length: 20 }, async (_one, index) =>
        verify(ref, index % 2 === 0 ? world.payments : world.second),
      ),
    );
    expect(questions).toBe(1);
    expect(await world.sql('SELECT FROM payments.payee_verification_lease')).toEqual([]);
  });

  it('is asked by another instance if the first one crashed before the answer', async () => {
    const { ref } = await accepted();
    await world.sql(
      `INSERT INTO payments.payee_verification_lease VALUES
         ($1, gen_random_uuid(), now() + interval '1 second'), (gen_random_uuid(), gen_random_uuid(), now() - interval '61 seconds')`,
      [ref.paymentId],
    );
    await verify(ref);
    expect((await shown(ref)).awaitsPayees).toBeUndefined();
    expect(await world.sql('SELECT FROM payments.payee_verification_lease')).toEqual([]);
  });

  it('comes before every signature (E4.2)', async () => {
    const { ref } = await accepted();
    const sign = async (): Promise<unknown> =>
      catchFailure(world.ask(contract.paymentAuthorisation.sign, ref));
    expect(await sign()).toBe('statusForbidsAuthorisation');
    expect(await world.eventTypes(ref.paymentId)).toEqual(['initiated', 'accepted']);
    await verify(ref);
    expect(await sign()).toBe('answered');
  });

  it('keeps names and accounts only encrypted', async () => {
    const { ref } = await accepted();
    await verify(ref);
    const rows = await world.sql(
      `SELECT data::text AS data FROM payments.events WHERE stream_id = $1 AND type = 'payee-verified'`,
      [ref.paymentId],
    );
    const stored = JSON.stringify(rows);
    expect(stored).toContain('CLOSE_MATCH');
    expect(stored).not.toMatch(/Мария|BG80|"bg"/);
    const view = await world.sql('SELECT v::text AS row FROM payments.payment_view v WHERE stream_id = $1', [
      ref.paymentId,
    ]);
    expect(JSON.stringify(view)).not.toMatch(/Мария/);
  });

  it('is not possible while the accounts service or the core bank is down, and the payment can be signed all the same', async () => {
    payeesDouble.answer = () => {
      throw dependencyDown('core-bank');
    };
    const { ref } = await accepted();
    await verify(ref);
    expect((await shown(ref)).payeesVerified?.payees).toEqual([
      { iban: payee, name, verdict: 'NOT_POSSIBLE', reason: 'no-answer' },
    ]);
    await world.ask(contract.paymentAuthorisation.sign, ref);
  });

  it('happens only for a PSU who has signed in', async () => {
    const { paymentId, authorisationId } = await initiated();
    expect(await catchFailure(verify({ paymentId, authorisationId, psuId: 'ivan' }))).toBe(
      'statusForbidsAuthorisation',
    );
    expect(await world.eventTypes(paymentId)).toEqual(['initiated']);
  });

  it('changes nothing if the payment is cancelled meanwhile', async () => {
    const { payment, ref } = await accepted();
    payeesDouble.answer = async (request) => {
      await world.ask(contract.cancelPayment, { ...payment, product });
      return usual(request);
    };
    expect(await catchFailure(verify(ref))).toBe('statusForbidsAuthorisation');
    expect(await world.eventTypes(ref.paymentId)).toEqual(['initiated', 'accepted', 'cancelled']);
  });
});

describe('a profile without verification of payees (contract 15)', () => {
  let lev: PaymentsWorld;
  beforeAll(async () => {
    lev = await startPaymentsWorld();
  }, 60_000);
  afterAll(async () => lev.stop());

  it('asks for none, and its payments wait for none', async () => {
    payeesDouble.answer = () => {
      throw callFailed('internal');
    };
    const { paymentId, authorisationId } = await lev.initiate();
    const ref = { paymentId, authorisationId, psuId: 'ivan' };
    await lev.ask(contract.paymentAuthorisation.identify, ref);
    await lev.ask(verifyPaymentPayees, { ...ref, language: 'bg', textsVersion: 'v' });
    expect(await lev.ask(contract.paymentAuthorisation.read, ref)).not.toHaveProperty('awaitsPayees');
    expect(await lev.eventTypes(paymentId)).toEqual(['initiated', 'accepted']);
  });
});
