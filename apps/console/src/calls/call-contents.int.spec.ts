import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CallContent,
  type CallRow,
  listRequests,
  readRequest,
  recordCallRows,
  type RequestDetails,
} from '@xs2a/contracts/console.contract';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { callBatch, callRow, type ConsoleWorld, startConsoleWorld } from '../testing/console-world.js';
import { CallContents } from './call-contents.js';

let world: ConsoleWorld;
let contents: CallContents;
beforeAll(async () => {
  world = await startConsoleWorld();
  [contents] = world.instances.map((instance) => instance.get(CallContents)) as [CallContents];
}, 60_000);
afterAll(async () => world.stop());

const realTime = new Clock(false);
const hoursAgo = (hours: number): string => new Date(realTime.nowMs() - hours * 3_600_000).toISOString();
const contentOf = (url: string, body?: string): CallContent => ({
  request: { method: 'POST', url, headers: { 'content-type': 'application/json' }, body },
  response: { headers: { 'retry-after': '1' }, body: '{"a":"\\u0000 щ"}', bodyCut: true },
});
const stored = async (): Promise<readonly string[]> =>
  (
    await world.pool.query<{ url: string }>(
      `SELECT request->>'url' AS url FROM call_content ORDER BY call_id`,
    )
  ).rows.map(({ url }) => url);
/** Stores the content of a call with a size that is not its own. */
const insert = async (url: string, at: string, bytes: number): Promise<void> => {
  await world.pool.query(
    `INSERT INTO call_content (call_id, at, bytes, request, response)
     SELECT coalesce(max(call_id), 0) + 1, $1, $2, $3, '{"headers":{}}' FROM call_content`,
    [at, bytes, contentOf(url).request],
  );
};
/** The same for a call that is stored. */
const insertOf = async ({ requestId }: CallRow, url: string, bytes: number): Promise<void> => {
  await world.pool.query(
    `INSERT INTO call_content (call_id, at, bytes, request, response)
     SELECT call_id, at, $2, $3, '{"headers":{}}' FROM call WHERE request_id = $1`,
    [requestId, bytes, contentOf(url).request],
  );
};
const read = async (tppId: string, requestId: string) =>
  (await world.callClient.call(readRequest, { tppId, requestId })).requests;

describe('what was sent in the calls of a sandbox (docs/adr/0077)', () => {
  it('is stored with its call, once if the batch is sent again, and shown only to its TPP', async () => {
    const [tpp, requestId, at] = [newId(), newId(), hoursAgo(2)];
    const first = callRow({ tppId: tpp, requestId, at, content: contentOf('/first', '{}') });
    const second = callRow({ tppId: tpp, requestId, at });
    const third = callRow({ tppId: tpp, requestId, at: hoursAgo(1), content: contentOf('/third') });
    // The batch is not in the order of time.
    const batch = callBatch([third, second, first, callRow({ requestId, content: contentOf('/others') })]);
    await Promise.all([1, 2, 3].map(async () => world.callClient.call(recordCallRows, batch)));
    const common = { operation: 'readPayment', status: 200, requestId };
    expect(await read(tpp, requestId)).toEqual([
      { time: third.at, ...common, ...third.content },
      { time: first.at, ...common, ...first.content },
      { time: second.at, ...common },
    ]);
    expect((await read('tpp', requestId)).map(({ request }) => request?.url)).toEqual(['/others']);
    expect(await stored()).toEqual(['/third', '/first', '/others']);
  });

  it('is listed with the calls on request, in pages that fit into a message and leave none out', async () => {
    const tppId = newId();
    const large = (number: number) =>
      callRow({
        tppId,
        at: hoursAgo(3 - number / 100),
        content: contentOf(`/${number}`, '"'.repeat(32_000)),
      });
    const rows = Array.from({ length: 40 }, (_none, number) => large(number));
    for (let from = 0; from < rows.length; from += 8)
      await world.callClient.call(recordCallRows, callBatch(rows.slice(from, from + 8)));
    const found: RequestDetails[] = [];
    let pages = 0;
    for (let before: string | undefined; ; pages += 1) {
      const page = await world.callClient.call(listRequests, {
        tppId,
        limit: 100,
        withContent: true,
        before,
      });
      expect(JSON.stringify(page).length).toBeLessThan(1_100_000);
      found.push(...page.requests);
      before = page.next;
      if (before === undefined) break;
    }
    expect(pages).toBeGreaterThan(1);
    const urls = rows.map((_row, number) => `/${number}`).toReversed();
    expect(found.map(({ request }) => request?.url)).toEqual(urls);
    const plain = await world.callClient.call(listRequests, { tppId, limit: 1 });
    expect(plain.requests[0]).not.toHaveProperty('request');
  });

  it('is refused if the request id is unknown or of another TPP', async () => {
    const requestId = newId();
    await world.callClient.call(recordCallRows, callBatch([callRow({ requestId, content: contentOf('/') })]));
    for (const [tppId, id] of [
      ['tpp', newId()],
      ['stranger', requestId],
    ] as const)
      await expect(read(tppId, id)).rejects.toMatchObject({ failures: [{ failure: 'resourceUnknown' }] });
  });

  it('is shown of the five newest calls with a request id, and of none that is older than 24 hours', async () => {
    const [tppId, requestId] = [newId(), newId()];
    const urls = ['/6', '/5', '/4', '/3', '/2', '/1'];
    const rows = urls.map((url, index) =>
      callRow({ tppId, requestId, at: hoursAgo(20 - index), content: contentOf(url) }),
    );
    await world.callClient.call(recordCallRows, callBatch(rows));
    expect((await read(tppId, requestId)).map(({ request }) => request?.url)).toEqual(
      urls.slice(1).toReversed(),
    );
    const old = newId();
    const gone = callRow({ tppId, requestId: old, at: hoursAgo(24.01), content: contentOf('/old') });
    await world.callClient.call(recordCallRows, callBatch([gone]));
    await expect(read(tppId, old)).rejects.toMatchObject({ failures: [{ failure: 'resourceUnknown' }] });
  });

  it('is removed after 24 hours of real time', async () => {
    await world.pool.query('DELETE FROM call_content');
    await insert('/old', hoursAgo(24.01), 1);
    await insert('/kept', hoursAgo(23.99), 1);
    world.instances[0]?.clock.raiseTo(3 * 3_600_000);
    await contents.removeOld();
    expect(await stored()).toEqual(['/kept']);
  });

  it('is removed, oldest first, beyond 256 MB', async () => {
    await world.pool.query('DELETE FROM call_content');
    for (const url of ['/1', '/2', '/3', '/4']) await insert(url, hoursAgo(1), 100_000_000);
    await contents.removeOld();
    expect(await stored()).toEqual(['/3', '/4']);
    await contents.removeOld();
    expect(await stored()).toEqual(['/3', '/4']);
  });

  it('is removed beyond 256 MB of the TPPs that have the most', async () => {
    await world.pool.query('DELETE FROM call_content');
    const quiet = callRow({ tppId: 'quiet' });
    const loud = ['/1', '/2', '/3', '/4'].map((url) => ({ url, row: callRow({ tppId: 'loud' }) }));
    await world.callClient.call(recordCallRows, callBatch([quiet, ...loud.map(({ row }) => row)]));
    await insertOf(quiet, '/quiet', 1);
    for (const { url, row } of loud) await insertOf(row, url, 100_000_000);
    await contents.removeOld();
    expect(await stored()).toEqual(['/quiet', '/3', '/4']);
  });
});
