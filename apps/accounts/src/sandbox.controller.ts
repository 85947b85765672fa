import { Controller, Inject } from '@nestjs/common';
import {
  advanceClock,
  changeAccountStatusInSandbox,
  checkDepositBeforeBody,
  checkPsuBeforeBody,
  createSandboxPsu,
  depositInSandbox,
  simulateInSandbox,
} from '@xs2a/contracts/accounts.contract';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import { readClockMoves } from '@xs2a/contracts/sandbox/clock-moves.contract';
import { listOwnPsus } from '@xs2a/contracts/sandbox/own-psus.contract';
import type { AccountStatusChanged } from '@xs2a/core-banking/sandbox/accounts/account-status';
import type { CreatedPsu } from '@xs2a/core-banking/sandbox/people/new-psu';
import type { Simulation } from '@xs2a/core-banking/sandbox/simulation/simulations';
import type { SandboxBank } from '@xs2a/core-banking/sandbox/sandbox-bank';
import type { Failure } from '@xs2a/domain/failure/failures';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import { Handles } from '@xs2a/calls/handles';
import { toOwnedKey } from '@xs2a/postgres/idempotent-execution';
import { SandboxClockKeeper } from './sandbox-clock-keeper.js';
import { SANDBOX_BANK } from './tokens.js';

/** Handles the `/sandbox` endpoints (contract 13). Present only when the sandbox bank is the core bank. */
@Controller()
export class SandboxController {
  constructor(@Inject(SANDBOX_BANK) private readonly bank: SandboxBank) {}

  @Handles(createSandboxPsu)
  async createPsu({ tppId, idempotencyKey, body }: RequestOf<typeof createSandboxPsu>): Promise<CreatedPsu> {
    const created = await this.bank.tools.createPsu(body, toOwnedKey(tppId, idempotencyKey), tppId);
    if ('failures' in created) throw new CallFailed(created.failures);
    return created;
  }

  @Handles(checkPsuBeforeBody)
  async checkPsuBeforeBody({
    tppId,
    idempotencyKey,
  }: RequestOf<typeof checkPsuBeforeBody>): Promise<Record<string, never>> {
    return noneOf(await this.bank.tools.checkNewPsu(toOwnedKey(tppId, idempotencyKey)));
  }

  @Handles(listOwnPsus)
  async listPsus(request: RequestOf<typeof listOwnPsus>): Promise<AnswerOf<typeof listOwnPsus>> {
    return this.bank.tools.listCreated(request);
  }

  @Handles(depositInSandbox)
  async deposit({
    tppId,
    idempotencyKey,
    iban,
    body,
    createdBy,
  }: RequestOf<typeof depositInSandbox>): Promise<{ transactionId: string }> {
    const named = toOwnedKey(tppId, idempotencyKey);
    const deposited = await this.bank.tools.deposit({
      iban,
      body,
      idempotencyKey: named,
      createdBy,
    });
    if ('refused' in deposited) throw new CallFailed(deposited.refused);
    return deposited;
  }

  @Handles(checkDepositBeforeBody)
  async checkDepositBeforeBody({
    tppId,
    idempotencyKey,
    iban,
    createdBy,
  }: RequestOf<typeof checkDepositBeforeBody>): Promise<Record<string, never>> {
    const named = toOwnedKey(tppId, idempotencyKey);
    return noneOf(await this.bank.tools.checkDeposit({ iban, idempotencyKey: named, createdBy }));
  }

  @Handles(changeAccountStatusInSandbox)
  async changeAccountStatus({
    iban,
    body,
    createdBy,
  }: RequestOf<typeof changeAccountStatusInSandbox>): Promise<AccountStatusChanged> {
    const changed = await this.bank.tools.changeAccountStatus(iban, body, createdBy);
    if ('refused' in changed) throw new CallFailed(changed.refused);
    return changed;
  }

  @Handles(simulateInSandbox)
  async simulate({ body, createdBy }: RequestOf<typeof simulateInSandbox>): Promise<Simulation> {
    const forced = await this.bank.tools.simulate(body, createdBy);
    if ('refused' in forced) throw new CallFailed(forced.refused);
    return forced;
  }
}

/** Throws the failures, if there are any. */
const noneOf = (failures: readonly Failure[]): Record<string, never> => {
  if (failures.length > 0) throw new CallFailed(failures);
  return {};
};

/** Replaces {@link SandboxController} for an external bank, which manages its own customers and money. */
@Controller()
export class ForeignBankController {
  @Handles(createSandboxPsu)
  createPsu(): never {
    throw callFailed('pathUnknown');
  }

  @Handles(checkPsuBeforeBody)
  checkPsuBeforeBody(): never {
    throw callFailed('pathUnknown');
  }

  @Handles(listOwnPsus)
  listPsus(): never {
    throw callFailed('pathUnknown');
  }

  @Handles(depositInSandbox)
  deposit(): never {
    throw callFailed('pathUnknown');
  }

  @Handles(checkDepositBeforeBody)
  checkDepositBeforeBody(): never {
    throw callFailed('pathUnknown');
  }

  @Handles(changeAccountStatusInSandbox)
  changeAccountStatus(): never {
    throw callFailed('pathUnknown');
  }

  @Handles(simulateInSandbox)
  simulate(): never {
    throw callFailed('pathUnknown');
  }
}

/** Registered for every core bank, since the sandbox clock moves with all of them. */
@Controller()
export class SandboxClockController {
  constructor(private readonly clock: SandboxClockKeeper) {}

  @Handles(advanceClock)
  async advance({ byMs, move }: RequestOf<typeof advanceClock>): Promise<AnswerOf<typeof advanceClock>> {
    return { offsetMs: await this.clock.advance(byMs, move) };
  }

  @Handles(readClockMoves)
  async readMoves(): Promise<AnswerOf<typeof readClockMoves>> {
    return { moves: await this.clock.readMoves() };
  }
}
