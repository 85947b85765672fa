import { Controller, Inject } from '@nestjs/common';
import { mustBeId, mustBeLimit } from '@xs2a/calls/checks';
import { callFailed } from '@xs2a/domain/failure/failed';
import { Handles } from '@xs2a/calls/handles';
import { CallClient } from '@xs2a/calls/client';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import { closeLateInstant, listLateInstants } from '@xs2a/contracts/instant/late-instants.contract';
import {
  drainSettlement,
  readUnfinishedTransactions,
  trySettlementNow,
} from '@xs2a/contracts/settlement.contract';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { ActiveWorker } from './active-worker.js';
import { hurry } from './hurry.js';
import { closeLate, readLateInstants } from './instant/late-instants.js';
import { readUnfinished } from './unfinished-transactions.js';

const limitMs = 4500;
const maxLateInstants = 100;
const maxEntries = 99_999;

@Controller()
export class SettlementController {
  constructor(
    private readonly worker: ActiveWorker,
    private readonly callClient: CallClient,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  /** Lets the sandbox wait until work made due by a clock move is done. */
  @Handles(drainSettlement)
  async drain(): Promise<Record<string, never>> {
    await this.worker.drain(limitMs);
    return {};
  }

  @Handles(readUnfinishedTransactions)
  async unfinished({
    limit,
    paymentId,
  }: RequestOf<typeof readUnfinishedTransactions>): Promise<AnswerOf<typeof readUnfinishedTransactions>> {
    mustBeLimit(limit);
    if (paymentId !== undefined) mustBeId(paymentId, 'paymentId');
    return readUnfinished(this.pool, { limit, paymentId });
  }

  @Handles(listLateInstants)
  async lateInstants({
    limit,
  }: RequestOf<typeof listLateInstants>): Promise<AnswerOf<typeof listLateInstants>> {
    mustBeLimit(limit, maxLateInstants);
    return { payments: await readLateInstants(this.pool, this.callClient, limit) };
  }

  @Handles(closeLateInstant)
  async closeLateInstant({
    paymentId,
    number,
  }: RequestOf<typeof closeLateInstant>): Promise<AnswerOf<typeof closeLateInstant>> {
    mustBeId(paymentId, 'paymentId');
    if (number !== null && (!Number.isSafeInteger(number) || number < 1 || number > maxEntries))
      throw callFailed('fieldMalformed', 'number', 'Send null or the number of an entry.');
    return closeLate(this.pool, { paymentId, number });
  }

  @Handles(trySettlementNow)
  async tryNow({
    paymentId,
  }: RequestOf<typeof trySettlementNow>): Promise<AnswerOf<typeof trySettlementNow>> {
    mustBeId(paymentId, 'paymentId');
    return hurry(this.pool, paymentId);
  }
}
