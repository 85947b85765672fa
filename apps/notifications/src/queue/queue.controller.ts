import { Controller, Inject } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import {
  listDeadLetters,
  listNotifications,
  maxDeadListed,
  maxReplayed,
  maxSummarised,
  replayNotifications,
  summariseNotifications,
} from '@xs2a/contracts/notifications.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { isMaxText } from '@xs2a/domain/text/text';
import { isUuid } from '@xs2a/domain/text/uuid';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { mustBeFilter } from './check-filter.js';
import { findDead, findNotifications } from './find-notifications.js';
import { replayDead } from './replay-dead.js';
import { summarise } from './summary.js';

/** Shows the queue to the console, and sends dead letters again. An instance that stands by does it too: the table is shared. */
@Controller()
export class QueueController {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  @Handles(listNotifications)
  async list(filter: RequestOf<typeof listNotifications>): Promise<AnswerOf<typeof listNotifications>> {
    mustBeFilter(filter);
    return { notifications: await findNotifications(this.pool, filter) };
  }

  @Handles(listDeadLetters)
  async dead({ tppId }: RequestOf<typeof listDeadLetters>): Promise<AnswerOf<typeof listDeadLetters>> {
    if (tppId !== undefined && !isMaxText(tppId, 255))
      throw callFailed('fieldMalformed', 'tppId', 'Send 1 to 255 characters.');
    return { ids: await findDead(this.pool, tppId, maxDeadListed) };
  }

  @Handles(replayNotifications)
  async replay({
    ids,
  }: RequestOf<typeof replayNotifications>): Promise<AnswerOf<typeof replayNotifications>> {
    if (!Array.isArray(ids) || ids.length < 1 || ids.length > maxReplayed || !ids.every(isUuid))
      throw callFailed('fieldMalformed', 'ids', `Send 1 to ${maxReplayed} UUIDs in lower case.`);
    return { replayed: await replayDead(this.pool, { ids }) };
  }

  @Handles(summariseNotifications)
  async summary(): Promise<AnswerOf<typeof summariseNotifications>> {
    return summarise(this.pool, maxSummarised);
  }
}
