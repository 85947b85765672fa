import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type SampleLog, startSampleLog } from '../testing/sample-log.js';
import { describeLost, lostEvents } from './lost-events.js';

let log: SampleLog;
beforeAll(async () => {
  log = await startSampleLog();
}, 60_000);
afterAll(async () => log.stop());

const lostInSevenDays = async (): Promise<string[]> => {
  const pool = log.database.superuserPool('payments');
  return (await lostEvents(pool, { nats: log.nats, resource: 'payments' }, 7)).map(describeLost);
};

it('events that the database lost are counted by type, excluding those that were only moved to another position', async () => {
  await log.publish(10);
  await log.database.sql(`BEGIN;
    DELETE FROM payments.events WHERE (stream_id, version) IN (SELECT stream_id, version FROM payments.log WHERE pos IN (7, 8));
    WITH gone AS (DELETE FROM payments.log WHERE pos > 6 RETURNING stream_id, version)
    INSERT INTO payments.unsequenced (stream_id, version)
    SELECT stream_id, version FROM gone JOIN payments.events USING (stream_id, version);
    COMMIT`);
  expect(await log.publish(1)).toBe(13);
  expect(await lostInSevenDays()).toEqual([
    expect.stringMatching(
      /^positions 7 to 10 were lost by the database, found 20\S+Z; the stream holds 2 counted$/,
    ),
  ]);
  await log.database.sql("UPDATE payments.log_gap SET found_at = now() - interval '8 days'");
  expect(await lostInSevenDays()).toEqual([]);
}, 30_000);
