import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CallRow,
  listRequests,
  type OwnRequest,
  recordCallRows,
} from '@xs2a/contracts/console.contract';
import { newId } from '@xs2a/runtime/ids';
import { callBatch, callRow, type ConsoleWorld, startConsoleWorld } from '../testing/console-world.js';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
}, 60_000);
afterAll(async () => world.stop());

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
const record = async (tppId: string | undefined, ...rows: readonly Partial<CallRow>[]): Promise<void> => {
  await world.callClient.call(recordCallRows, callBatch(rows.map((row) => callRow({ tppId, ...row }))));
};
/** Reads all pages. */
const listAll = async (tppId: string, limit: number): Promise<readonly OwnRequest[]> => {
  const found: OwnRequest[] = [];
  let before: string | undefined;
  do {
    const { requests, next } = await world.callClient.call(listRequests, { tppId, limit, before });
    expect(requests.length).toBeLessThanOrEqual(limit);
    found.push(...requests);
    before = next;
  } while (before !== undefined);
  return found;
};

describe('the list of own requests (contract 13)', () => {
  it('has what the TPP may know of a call, newest first, and nothing of another TPP or of calls without one', async () => {
    const tpp = newId();
    const requestId = newId();
    const [refusedAt, servedAt] = [hoursAgo(1), hoursAgo(2)];
    const refusal = { status: 400, code: 'FORMAT_ERROR', path: 'instructedAmount.amount', dependency: 'x' };
    await record(tpp, { at: servedAt, requestId }, { at: refusedAt, requestId, ...refusal });
    await record('another', { requestId });
    await record(undefined, { requestId });
    const common = { operation: 'readPayment', requestId };
    expect(await listAll(tpp, 50)).toEqual([
      { time: refusedAt, ...common, status: 400, code: 'FORMAT_ERROR', path: 'instructedAmount.amount' },
      { time: servedAt, ...common, status: 200 },
    ]);
  });

  it('leaves out the calls that read the list, and its pages are as full without them', async () => {
    const tpp = newId();
    const times = Array.from({ length: 6 }, (_none, index) => hoursAgo(1 + index / 10));
    await record(
      tpp,
      ...times.map((at, index) => ({ at, operation: index % 2 === 0 ? 'listRequests' : 'readPayment' })),
    );
    const found = await listAll(tpp, 2);
    expect(found.map(({ operation }) => operation)).toEqual(['readPayment', 'readPayment', 'readPayment']);
  });

  it('has each call exactly once for any size of page, even if all calls arrived in one millisecond', async () => {
    const tpp = newId();
    const at = hoursAgo(1);
    const requestIds = Array.from({ length: 7 }, () => newId());
    await record(tpp, ...requestIds.map((requestId) => ({ at, requestId })));
    for (const limit of [1, 2, 3, 6, 7, 8]) {
      const found = (await listAll(tpp, limit)).map(({ requestId }) => requestId);
      expect(found.toSorted()).toEqual(requestIds.toSorted());
    }
  });

  it('ends with the calls of 24 hours ago', async () => {
    const tpp = newId();
    await record(tpp, { at: hoursAgo(23.99) }, { at: hoursAgo(24.01) });
    expect(await listAll(tpp, 50)).toHaveLength(1);
  });

  it.each(['', 'x', '1', '1-', '-1', '1-1-1', '1-1; DROP TABLE call', '9999999999999999-1'])(
    'refuses the cursor “%s”, which is not of a page',
    async (before) => {
      await expect(
        world.callClient.call(listRequests, { tppId: 'tpp', limit: 1, before }),
      ).rejects.toMatchObject({
        failures: [{ failure: 'fieldMalformed', path: 'cursor' }],
      });
    },
  );
});
