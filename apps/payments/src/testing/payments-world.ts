import { Controller, Inject, Module } from '@nestjs/common';
import type { AnswerOf, Call, RequestOf } from '@xs2a/contracts/call';
import { verifyPayees, verifyPaymentPayees } from '@xs2a/contracts/payees/payees.contract';
import { readAccountFacts, readCorporate } from '@xs2a/contracts/accounts.contract';
import * as contract from '@xs2a/contracts/payments.contract';
import type { AccountFacts } from '@xs2a/domain/account/debtor-account';
import type { Profile } from '@xs2a/domain/profile/profile';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { startPostgres } from '@xs2a/local-servers/postgres-server';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { Handles } from '@xs2a/calls/handles';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { createPool } from '@xs2a/postgres/pool';
import { deriveBookingId } from '@xs2a/runtime/booking-ids';
import { newId } from '@xs2a/runtime/ids';
import { type InProcessService, startInProcess } from '@xs2a/runtime/testing/service-in-process';
import { PROFILE } from '@xs2a/runtime/tokens';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PoolClient } from 'pg';
import { migrations, schema } from '../migrations/index.js';
import { PaymentsModule } from '../payments.module.js';

export const ivansAccount = 'BG25XSBK92001000000001';
export const savings = 'BG45XSBK92001500000012';
/** A corporate account; two of its three signers must sign. */
export const corporateAccount = 'BG67XSBK92001000000021';
/** An account of ivan's at a bank in euro. */
export const euroAccount = 'BG12XSBK92001000000041';
const signers = ['georgi', 'elena', 'petar'];
const creditor = 'BG80BNBG96611020345678';
export const product = 'domestic-credit-transfer-BGN';

const current: Omit<AccountFacts, 'iban'> = {
  currency: 'BGN',
  type: 'CACC',
  status: 'enabled',
  internetBanking: true,
  signaturesRequired: 1,
};
/** A fake of the accounts service, with the calls that the payments service makes. */
const bank = {
  accounts: new Map<string, AccountFacts>([
    [ivansAccount, { ...current, iban: ivansAccount, ownerPsuId: 'ivan' }],
    [euroAccount, { ...current, iban: euroAccount, currency: 'EUR', ownerPsuId: 'ivan' }],
    [savings, { ...current, iban: savings, type: 'SVGS' }],
    [corporateAccount, { ...current, iban: corporateAccount, signaturesRequired: 2, corporateId: 'acme' }],
  ]),
};

@Controller()
class AccountsDouble {
  constructor(@Inject(PROFILE) private readonly profile: Profile) {}

  @Handles(readAccountFacts)
  facts({ iban, psuId }: { iban: string; psuId?: string }) {
    const owners =
      { [ivansAccount]: ['ivan'], [euroAccount]: ['ivan'], [corporateAccount]: signers }[iban] ?? [];
    const known = bank.accounts.get(iban);
    const account = known && { ...known, currency: this.profile.currencies[0] ?? known.currency };
    return { account, ownedByPsu: psuId !== undefined && owners.includes(psuId) };
  }

  @Handles(readCorporate)
  corporate({ corporateId }: { corporateId: string }) {
    return corporateId === 'acme' ? { known: true, signaturesRequired: 2 } : { known: false };
  }
}

type VerifyPayees = (
  request: RequestOf<typeof verifyPayees>,
) => Promise<AnswerOf<typeof verifyPayees>> | AnswerOf<typeof verifyPayees>;
/** What the accounts service answers about payees; a test may replace it. */
export const payeesDouble: { answer: VerifyPayees } = {
  answer: ({ payees }) => ({
    isOptedOut: false,
    payees: payees.map((payee) => ({ ...payee, verdict: 'CLOSE_MATCH', disclosedName: 'Мария Георгиева' })),
  }),
};
@Controller()
class PayeesDouble {
  @Handles(verifyPayees)
  async verify(request: RequestOf<typeof verifyPayees>): Promise<AnswerOf<typeof verifyPayees>> {
    return payeesDouble.answer(request);
  }
}

@Module({ controllers: [AccountsDouble, PayeesDouble] })
class AccountsDoubleModule {}

export const body = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  endToEndIdentification: 'INV-1',
  debtorAccount: { iban: ivansAccount },
  instructedAmount: { amount: '12.50', currency: 'BGN' },
  creditorAccount: { iban: creditor },
  creditorName: 'Мария Георгиева',
  remittanceInformationUnstructured: 'Фактура 1',
  serviceLevel: 'NURG',
  ...changes,
});

/** A periodic order that runs for this many days from today; `numberOfPayments` as in the body. */
export const periodicOrder = (days: number, today: string): Partial<contract.InitiatePayment> => ({
  service: 'periodic-payments',
  body: body({ startDate: today, frequency: 'Daily', numberOfPayments: days }),
});

/** A bulk payment with one entry for each of these amounts. */
export const bulkPayment = (
  amounts: readonly string[],
  more: Record<string, unknown> = {},
): Partial<contract.InitiatePayment> => {
  const { debtorAccount, ...entry } = body();
  const payments = amounts.map((amount) => ({ ...entry, instructedAmount: { amount, currency: 'BGN' } }));
  return { service: 'bulk-payments', body: { debtorAccount, payments, ...more } };
};

/** Returns the failure names of a rejected call, `answered` if the call succeeds, or any other error unchanged. */
export const catchFailure = async (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => 'answered',
    (error: unknown) =>
      error instanceof CallFailed ? error.failures.map(({ failure }) => failure).join() : error,
  );

export interface PaymentsWorld {
  readonly payments: InProcessService;
  readonly second: InProcessService;
  /** Calls the first instance as another service would. Throws `CallFailed`. */
  ask<Request, Answer>(call: Call<Request, Answer>, request: Request): Promise<Answer>;
  /** The database URL with the privileges of the schema's owner. */
  readonly ownerUrl: string;
  /** Runs SQL with the privileges of the schema's owner. */
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Opens a separate session with the privileges of the schema's owner. */
  session(): Promise<PoolClient>;
  /** Ends the session of the leading relay, as happens when the database server is lost. */
  endRelay(): Promise<void>;
  initiate(
    changes?: Partial<contract.InitiatePayment>,
  ): Promise<contract.PaymentRef & { authorisationId: string }>;
  /** Like {@link initiate}, but also works for payments that need multiple signatures. */
  initiateAny(changes?: Partial<contract.InitiatePayment>): Promise<contract.PaymentRef>;
  /** Initiates a payment from {@link corporateAccount}, without starting an authorisation. */
  initiateForSeveral(): Promise<contract.PaymentRef>;
  /** Starts the authorisation of one of several signers and signs that signer in. */
  identified(payment: contract.PaymentRef, psuId: string): Promise<Identified>;
  /**
   * Returns a payment that ivan has initiated, accepted and signed: a single payment unless another initiation is
   * given.
   */
  signed(
    changes?: Partial<contract.InitiatePayment>,
  ): Promise<contract.PaymentRef & { authorisationId: string }>;
  /**
   * Returns a reference to an occurrence of a periodic order or to an entry of a bulk payment, as the settlement
   * worker uses it.
   */
  part(paymentId: string, number: number): contract.TransactionRef;
  /** Records steps as the settlement worker does. */
  record(...records: readonly contract.SettlementRecord[]): Promise<readonly contract.SettlementRecorded[]>;
  /** Returns the types of a payment's events, in order. */
  eventTypes(paymentId: string): Promise<string[]>;
  stop(): Promise<void>;
}

/** A signer whose authorisation was started and who has signed in, so that only the code is missing. */
type Identified = contract.PaymentAuthorisationRef & { readonly psuId: string };

/** The calls that result from what TPPs and PSUs do, made through one instance. */
const walks = ({
  callClient,
  profile,
}: InProcessService): Pick<
  PaymentsWorld,
  'initiate' | 'initiateAny' | 'initiateForSeveral' | 'identified' | 'signed'
> => {
  const post = async (changes: Partial<contract.InitiatePayment> = {}) => {
    const request: contract.InitiatePayment = {
      tppId: 'tpp',
      service: 'payments',
      product,
      body: body(),
      idempotencyKey: { path: `POST /payments/${product}`, hash: 'h', key: newId() },
      redirectUris: {},
      ...changes,
    };
    const { tppId, service } = request;
    return { ...(await callClient.call(contract.initiatePayment, request)), tppId, service };
  };
  const initiate: PaymentsWorld['initiate'] = async (changes) => {
    const { authorisationId, ...payment } = await post(changes);
    if (authorisationId === undefined) throw new Error('several persons have to sign it');
    return { ...payment, authorisationId };
  };
  const accepted = async (ref: Identified): Promise<Identified> => {
    await callClient.call(contract.paymentAuthorisation.identify, ref);
    return ref;
  };
  return {
    initiate,
    initiateAny: post,
    initiateForSeveral: async () => post({ body: body({ debtorAccount: { iban: corporateAccount } }) }),
    identified: async (payment, psuId) => {
      const { paymentId } = payment;
      const idempotencyKey = { path: `POST /authorisations ${paymentId}`, hash: 'h', key: newId() };
      const start = { ...payment, psuId, idempotencyKey, redirectUris: {} };
      const { authorisationId } = await callClient.call(contract.paymentAuthorisation.start, start);
      return accepted({ paymentId, authorisationId, psuId });
    },
    signed: async (changes) => {
      const payment = await initiate(changes);
      const { paymentId, authorisationId } = payment;
      const ref = await accepted({ paymentId, authorisationId, psuId: 'ivan' });
      if (profile.payeeVerification === 'page')
        await callClient.call(verifyPaymentPayees, { ...ref, language: 'bg', textsVersion: 'v' });
      await callClient.call(contract.paymentAuthorisation.sign, ref);
      return payment;
    },
  };
};

/** Starts two instances of the payments service on real servers. */
export const startPaymentsWorld = async (profile = makeProfile('sandbox')): Promise<PaymentsWorld> => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-payments-'));
  const [postgres, nats] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'pg'), durable: false }),
    startNatsWithAssets({ dataDir: join(folder, 'nats') }),
  ]);
  await prepareDatabases(postgres.url());
  await runMigrations({ url: postgres.url('xs2a_owner'), schema, migrations });
  const accounts = await startInProcess({
    name: 'accounts',
    module: AccountsDoubleModule,
    natsUrl: nats.url,
    profile,
  });
  const service = async () =>
    startInProcess({
      name: 'payments',
      module: PaymentsModule,
      natsUrl: nats.url,
      databaseUrl: postgres.url('xs2a_payments'),
      settings: { BANK_CODE: 'XSBK' },
      profile,
    });
  const [payments, second] = [await service(), await service()];
  const owner = createPool({ url: postgres.url('xs2a_owner'), name: 'test', max: 2 });
  const sql: PaymentsWorld['sql'] = async (text, values) =>
    (await owner.query(text, values)).rows as Record<string, unknown>[];
  return {
    payments,
    second,
    ask: async (call, request) => payments.callClient.call(call, request),
    part: (paymentId, number) => {
      const partOf = { paymentId, number };
      return { paymentId: deriveBookingId(partOf), partOf };
    },
    record: async (...records) =>
      (await payments.callClient.call(contract.recordSettlement, { records })).results,
    ownerUrl: postgres.url('xs2a_owner'),
    sql,
    session: async () => owner.connect(),
    endRelay: async () => {
      const superuser = createPool({ url: postgres.url(), name: 'test', max: 1 });
      await superuser.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ~ '^relay.payments active'",
      );
      await superuser.end();
    },
    ...walks(payments),
    eventTypes: async (paymentId) => {
      const rows = await sql('SELECT type FROM payments.events WHERE stream_id = $1 ORDER BY version', [
        paymentId,
      ]);
      return rows.map(({ type }) => String(type));
    },
    stop: async () => {
      await Promise.all([payments, second, accounts].map(async (one) => one.stop()));
      await owner.end();
      await nats.stop();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
