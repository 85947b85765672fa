import { connectOnce } from '@xs2a/nats/connection';
import { until } from '@xs2a/nats/testing/until';
import assert from 'node:assert/strict';
import type { Pool } from 'pg';
import { logHead } from '../recovery/log-gaps.js';
import { lastPublished } from '../publishing/jetstream-copy.js';

/** Waits until every payment event has a position and is in the stream, then returns the last position. For tests. */
export const allPublished = async (pool: Pool, natsUrl: string): Promise<number> => {
  let head = 0;
  await until(async () => {
    const { rowCount: unsequenced } = await pool.query('SELECT FROM unsequenced LIMIT 1');
    assert.equal(unsequenced, 0, 'an event has no position');
    head = await logHead(pool);
    const nats = await connectOnce(natsUrl, 'test');
    const last = await lastPublished(nats, 'payments').finally(async () => nats.close());
    assert.ok(last >= head, `the stream ends at ${last}, the log at ${head}`);
  });
  return head;
};
