import { Controller, Inject } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import {
  listNotifications,
  maxSummarised,
  summariseNotifications,
} from '@xs2a/contracts/notifications.contract';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { mustBeFilter } from './check-filter.js';
import { findNotifications } from './find-notifications.js';
import { summarise } from './summary.js';

/** Shows the queue to the console. It only reads, so that an instance that stands by answers too. */
@Controller()
export class QueueController {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  @Handles(listNotifications)
  async list(filter: RequestOf<typeof listNotifications>): Promise<AnswerOf<typeof listNotifications>> {
    mustBeFilter(filter);
    return { notifications: await findNotifications(this.pool, filter) };
  }

  @Handles(summariseNotifications)
  async summary(): Promise<AnswerOf<typeof summariseNotifications>> {
    return summarise(this.pool, maxSummarised);
  }
}
