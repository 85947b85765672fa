import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import type { listOwnPsus } from '@xs2a/contracts/sandbox/own-psus.contract';
import type { Failure } from '@xs2a/domain/failure/failures';
import { instantProduct } from '@xs2a/domain/payment/instant/instant-payments';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { HashKeys } from '@xs2a/postgres/hash-keys';
import type { OwnedKey } from '@xs2a/postgres/idempotent-execution';
import type { Clock } from '@xs2a/runtime/clock';
import type { Pool } from 'pg';
import { type AccountStatusChanged, changeAccountStatus } from './accounts/account-status.js';
import { SandboxAccounts } from './accounts/accounts.js';
import { checkDeposit, deposit, type Deposit, type Deposited, type DepositTo } from './ledger/deposit.js';
import type { FixturesFile } from './fixtures.js';
import { inEuro } from './euro/euro-fixtures.js';
import { SandboxFunds } from './accounts/funds.js';
import { SandboxInstant } from './instant/sandbox-instant.js';
import { Ledger } from './ledger/ledger.js';
import { listCreated } from './people/created-psus.js';
import { checkNewPsu, type CreatedPsu, createPsu } from './people/new-psu.js';
import { SandboxPsus } from './people/psus.js';
import { SandboxPayees } from './payees/payees.js';
import { seed } from './seed.js';
import { cursorKey, readClockOffset } from './settings.js';
import { SimulatedBooking } from './simulation/simulated-booking.js';
import { type Simulation, Simulations } from './simulation/simulations.js';

/** Operations that exist only in the sandbox bank (contract 13). */
interface SandboxTools {
  /** `body` is not validated yet; it must be a `NewPsu`. `tppId` is the TPP that may list the person. */
  createPsu(
    body: unknown,
    idempotencyKey?: OwnedKey,
    tppId?: string,
  ): Promise<CreatedPsu | { readonly failures: readonly Failure[] }>;
  /** Returns the failures of `createPsu` that do not depend on the body. */
  checkNewPsu(idempotencyKey: OwnedKey | undefined): Promise<readonly Failure[]>;
  /** Throws CallFailed for a cursor that is not `next` of a page. */
  listCreated(page: RequestOf<typeof listOwnPsus>): Promise<AnswerOf<typeof listOwnPsus>>;
  deposit(order: Deposit): Promise<Deposited>;
  /** Returns the failures of `deposit` that do not depend on the body. */
  checkDeposit(to: DepositTo): Promise<readonly Failure[]>;
  /** `body` is the request body `{status}`, validated here. If `createdBy` is set, only an account of that TPP can change. */
  changeAccountStatus(
    iban: string,
    body: unknown,
    createdBy?: string,
  ): Promise<AccountStatusChanged | { readonly refused: readonly Failure[] }>;
  /**
   * `body` is the request body `{psuId, outcome, calls?}`, validated here. If `createdBy` is set, `psuId` must be a person whom that TPP
   * created.
   */
  simulate(body: unknown, createdBy?: string): Promise<Simulation | { readonly refused: readonly Failure[] }>;
}
/** A `CoreBank` that runs in this process on its own tables and does not need the context of a call. */
export interface SandboxBank {
  readonly accounts: SandboxAccounts;
  readonly funds: SandboxFunds;
  readonly booking: SimulatedBooking;
  readonly instant: SandboxInstant;
  readonly psus: SandboxPsus;
  readonly payees: SandboxPayees;
  readonly tools: SandboxTools;
}

export interface SandboxBankOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly fixtures: FixturesFile;
  /** The keys with which stored idempotency keys and bodies are hashed. */
  readonly hashKeys: HashKeys;
}

/** The maximum time from pending to booked that the `entry` table accepts. It limits how far back a page must read. */
const maxBookingDelaySeconds = 3600;

/** Opens the sandbox bank and fills its tables if they are empty. */
export const openSandboxBank = async (options: SandboxBankOptions): Promise<SandboxBank> => {
  const { pool, clock, profile, fixtures, hashKeys } = options;
  if (profile.bookingDelaySeconds > maxBookingDelaySeconds) {
    throw new Error(`the sandbox bank books within ${maxBookingDelaySeconds} s: lower bookingDelaySeconds`);
  }
  const { timeZone, levEnd } = profile;
  const bankCode = fixtures.bank.ibanBankCode;
  // The clock is restored first to its time before the restart, because everything below uses it for dates.
  clock.raiseTo(await readClockOffset(pool));
  await seed({ pool, clock, timeZone, levEnd }, levEnd === undefined ? fixtures : inEuro(fixtures));
  const simulations = new Simulations(pool, () => ({
    instant: profile.products.some((product) => product === instantProduct),
    payees: profile.payeeVerification === 'page',
  }));
  return {
    accounts: new SandboxAccounts(
      {
        pool,
        clock,
        timeZone,
        levEnd: () => profile.levEnd,
        cursorKey: await cursorKey(pool),
      },
      simulations,
    ),
    funds: new SandboxFunds(pool, simulations, clock),
    booking: new SimulatedBooking(new Ledger({ pool, clock, profile, bankCode }), simulations),
    instant: new SandboxInstant(pool, clock, simulations),
    psus: await SandboxPsus.open(pool),
    payees: new SandboxPayees(pool, bankCode, simulations),
    tools: {
      createPsu: (body, idempotencyKey, tppId) =>
        createPsu(
          { pool, clock, bankCode, homeCurrency: profile.homeCurrency, hashKeys, tppId },
          body,
          idempotencyKey,
        ),
      listCreated: (page) => listCreated(pool, page),
      checkNewPsu: (idempotencyKey) => checkNewPsu({ pool, clock, hashKeys }, idempotencyKey),
      simulate: (body, createdBy) => simulations.force(body, createdBy),
      deposit: (order) => deposit({ pool, clock, timeZone, hashKeys }, order),
      checkDeposit: (to) => checkDeposit({ pool, clock, timeZone, hashKeys }, to),
      changeAccountStatus: (iban, body, createdBy) => changeAccountStatus(pool, { iban, body, createdBy }),
    },
  };
};
