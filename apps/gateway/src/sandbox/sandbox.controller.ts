import { Controller, Inject, Req } from '@nestjs/common';
import {
  changeAccountStatusInSandbox,
  checkDepositBeforeBody,
  checkPsuBeforeBody,
  createSandboxPsu,
  depositInSandbox,
  type Reach,
  simulateInSandbox,
} from '@xs2a/contracts/accounts.contract';
import { checkTppBeforeBody, registerTpp, setTppStatus } from '@xs2a/contracts/auth.contract';
import { clearPayments } from '@xs2a/contracts/payments.contract';
import { readClockMoves } from '@xs2a/contracts/sandbox/clock-moves.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { CallClient } from '@xs2a/calls/client';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG, LOGGER } from '@xs2a/runtime/tokens';
import type { GatewayConfig } from '../config.js';
import { requireBody, forwardBody } from '../checks/body/json-body.js';
import { readIdempotencyKey, requireCaller, type EdgeRequest } from '../edge/edge-request.js';
import { Endpoint } from '../endpoint.js';
import { durationMs } from './iso-duration.js';
import { advanceHint } from './clock.dto.js';
import { readClock, readTppStatus } from './sandbox-bodies.js';
import { SandboxClock } from './sandbox-clock.js';
import { TppDirectory } from '../checks/token/tpp-directory.js';

type Json = Readonly<Record<string, unknown>>;

/** All endpoints under /sandbox (contract 13). This controller is registered only in the sandbox. */
@Controller()
export class SandboxController {
  private readonly sandboxClock: SandboxClock;

  constructor(
    private readonly callClient: CallClient,
    private readonly clock: Clock,
    private readonly tpps: TppDirectory,
    @Inject(LOGGER) logger: Logger,
    @Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'SANDBOX_CLOCK'>,
  ) {
    this.sandboxClock = new SandboxClock(callClient, clock, logger);
  }

  @Endpoint('readClock')
  readClock(): Json {
    return { now: this.clock.now() };
  }

  @Endpoint('advanceClock')
  async advanceClock(@Req() request: EdgeRequest): Promise<Json> {
    const { advance } = readClock(requireBody(request));
    const byMs = durationMs(advance, this.clock.nowMs());
    if (byMs === undefined) throw callFailed('fieldMalformed', 'advance', advanceHint);
    const { clientId: tppId } = requireCaller(request).tpp;
    return { now: await this.sandboxClock.advance(byMs, { tppId, advance }) };
  }

  @Endpoint('listClockMoves')
  async listClockMoves(): Promise<Json> {
    const { moves } = await this.callClient.call(readClockMoves, {});
    return { moves: moves.map(({ tppId, ...move }) => ({ clientId: tppId, ...move })) };
  }

  @Endpoint('registerTpp')
  async registerTpp(@Req() request: EdgeRequest): Promise<Json> {
    const head = { idempotencyKey: readIdempotencyKey(request) };
    const registered = await forwardBody(request, {
      create: async (body) => this.callClient.call(registerTpp, { ...head, body }),
      checkBeforeBody: async () => this.callClient.call(checkTppBeforeBody, head),
    });
    await this.tpps.refresh(registered.clientId);
    return { ...registered };
  }

  @Endpoint('changeTpp')
  async changeTpp(@Req() request: EdgeRequest): Promise<Json> {
    const clientId = request.params['clientId'] ?? '';
    const { status } = readTppStatus(requireBody(request));
    // Client ids are valid keys of a key-value bucket, so any other text was not issued as a client id.
    if (!/^[A-Za-z0-9_-]{1,100}$/.test(clientId)) throw callFailed('resourceUnknown');
    const { createdBy = clientId } = this.reachOf(request);
    if (clientId !== createdBy) throw callFailed('resourceUnknown');
    const isSandboxShared = this.config.SANDBOX_CLOCK === 'fixed';
    await this.callClient.call(setTppStatus, { clientId, status, isSandboxShared });
    await this.tpps.refresh(clientId);
    return { clientId, status };
  }

  @Endpoint('createPsu')
  async createPsu(@Req() request: EdgeRequest): Promise<Json> {
    const { tpp } = requireCaller(request);
    const head = { tppId: tpp.clientId, idempotencyKey: readIdempotencyKey(request) };
    const created = await forwardBody(request, {
      create: async (body) => this.callClient.call(createSandboxPsu, { ...head, body }),
      checkBeforeBody: async () => this.callClient.call(checkPsuBeforeBody, head),
    });
    return { ...created };
  }

  @Endpoint('deposit')
  async deposit(@Req() request: EdgeRequest): Promise<Json> {
    const { tpp } = requireCaller(request);
    const iban = request.params['iban'] ?? '';
    const head = {
      tppId: tpp.clientId,
      idempotencyKey: readIdempotencyKey(request),
      iban,
      ...this.reachOf(request),
    };
    const { transactionId } = await forwardBody(request, {
      create: async (body) => this.callClient.call(depositInSandbox, { ...head, body }),
      checkBeforeBody: async () => this.callClient.call(checkDepositBeforeBody, head),
    });
    return { transactionId };
  }

  @Endpoint('changeAccount')
  async changeAccount(@Req() request: EdgeRequest): Promise<Json> {
    const iban = request.params['iban'] ?? '';
    return this.callClient.call(changeAccountStatusInSandbox, {
      iban,
      body: requireBody(request),
      ...this.reachOf(request),
    });
  }

  @Endpoint('simulate')
  async simulate(@Req() request: EdgeRequest): Promise<Json> {
    return this.callClient.call(simulateInSandbox, { body: requireBody(request), ...this.reachOf(request) });
  }

  /**
   * Returns which people and accounts the TPP may change: in a sandbox with a fixed clock, which many TPPs share, only
   * people and accounts that this TPP created; in any other sandbox, all.
   */
  private reachOf(request: EdgeRequest): Reach {
    return this.config.SANDBOX_CLOCK === 'fixed' ? { createdBy: requireCaller(request).tpp.clientId } : {};
  }

  @Endpoint('clearPayments')
  async clearPayments(@Req() request: EdgeRequest): Promise<void> {
    await this.callClient.call(clearPayments, { tppId: requireCaller(request).tpp.clientId });
  }
}
