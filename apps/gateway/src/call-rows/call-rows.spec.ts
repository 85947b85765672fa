import { describe, expect, it } from '@jest/globals';
import type { CallRow, CallRowBatch } from '@xs2a/contracts/console.contract';
import { callFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { createLogger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { setImmediate } from 'node:timers/promises';
import { CallRows } from './call-rows.js';

const start = Date.parse('2026-11-27T10:00:30Z');

/** The status of calls that the console of these tests cannot store. */
const unstorable = 418;

/** What was sent in a call, with a body of some bytes. */
const contentOf = (bytes: number): CallRow['content'] => ({
  request: { method: 'POST', url: '/', headers: {}, body: 'x'.repeat(bytes) },
  response: { headers: {} },
});

/** Creates rows of calls with a clock, a random number and a console that the test controls. */
const recording = (successesOneIn = 1) => {
  const state = { nowMs: start, isDown: false, loseAnswer: false, random: 0, refusesAll: false };
  const sent: CallRowBatch[] = [];
  const clock = new Clock(true, () => state.nowMs);
  const rows = new CallRows({
    callClient: {
      call: async (_call, batch) => {
        if (state.isDown) throw dependencyDown('console');
        const found = batch as unknown as CallRowBatch;
        if (state.refusesAll || found.rows.some(({ status }) => status === unstorable))
          throw callFailed('internal');
        sent.push(found);
        if (state.loseAnswer) throw dependencyDown('console');
        return {} as never;
      },
    },
    clock,
    logger: createLogger('test', 'silent'),
    successesOneIn,
    random: () => state.random,
  });
  rows.start();
  const note = (
    status: number,
    count = 1,
    tpp: string | null = 'tpp',
    content?: CallRow['content'],
  ): void => {
    const tppId = tpp ?? undefined;
    for (let index = 0; index < count; index += 1)
      rows.note({ status, tppId }, () => ({ status, tppId, content }) as CallRow);
  };
  const kept = (): number[] => sent.flatMap((batch) => batch.rows.map(({ status }) => status));
  const leftOut = (): unknown[] =>
    sent.flatMap((batch) => batch.leftOut.map(({ tppId, reason, calls }) => [reason, tppId, calls]));
  const ofStatus = (status: number): number => kept().filter((one) => one === status).length;
  return { rows, state, clock, sent, note, kept, ofStatus, leftOut };
};

describe('rows of calls (docs/adr/0077)', () => {
  it('are kept for every call if one in one is sampled', async () => {
    const { rows, note, kept, leftOut } = recording();
    for (const status of [200, 404, 503, 499]) note(status);
    await rows.stop();
    expect(kept().toSorted()).toEqual([200, 404, 499, 503]);
    expect(leftOut()).toEqual([]);
  });

  it('are kept for one in ten successful calls, for every refused and failed one, and the others are counted', async () => {
    const { rows, state, note, kept, leftOut } = recording(10);
    for (const random of [0.0, 0.09, 0.1, 0.5, 0.999]) {
      state.random = random;
      note(200);
      note(400);
      note(500);
    }
    await rows.stop();
    expect(kept().toSorted()).toEqual([200, 200, 400, 400, 400, 400, 400, 500, 500, 500, 500, 500]);
    expect(leftOut()).toEqual([['sampled', 'tpp', 3]]);
  });

  it('are kept for a thousand refused calls per TPP and minute of real time, also without a TPP; further ones are counted', async () => {
    const { rows, state, clock, note, kept, leftOut } = recording();
    note(400, 1200);
    note(401, 1001, null);
    note(503, 1000, 'other');
    note(200, 5);
    clock.raiseTo(3_600_000);
    note(400, 1);
    state.nowMs += 30_000;
    note(400, 1);
    await rows.stop();
    expect(kept()).toHaveLength(1000 + 1000 + 1000 + 5 + 1);
    expect(leftOut()).toEqual([
      ['limit', 'tpp', 201],
      ['limit', '', 1],
    ]);
  });

  it('say from when to when calls were left out', async () => {
    const { rows, state, sent, note } = recording(10);
    state.random = 0.5;
    note(200);
    state.nowMs += 4000;
    note(200);
    await rows.stop();
    expect(sent[0]?.leftOut).toEqual([
      {
        tppId: 'tpp',
        reason: 'sampled',
        calls: 2,
        since: '2026-11-27T10:00:30.000Z',
        until: '2026-11-27T10:00:34.000Z',
      },
    ]);
  });

  it('come with the certificate of the latest call of each TPP, even if it has no row', async () => {
    const { rows, state, sent, note } = recording(10);
    state.random = 0.5;
    const [old, renewed] = [start + 1000, start + 90_000_000];
    const present = (tppId: string | undefined, certificateEndsAtMs: number | undefined): void =>
      rows.note({ status: 200, tppId, certificateEndsAtMs }, () => ({}) as CallRow);
    present('tpp', old);
    present('other', old);
    state.nowMs += 4000;
    present('tpp', renewed);
    present('other', undefined);
    present(undefined, old);
    await rows.flush();
    note(200);
    await rows.stop();
    expect(sent.map((batch) => batch.certificates)).toEqual([
      [
        { tppId: 'tpp', endsAt: '2026-11-28T11:00:30.000Z', seenAt: '2026-11-27T10:00:34.000Z' },
        { tppId: 'other', endsAt: '2026-11-27T10:00:31.000Z', seenAt: '2026-11-27T10:00:30.000Z' },
      ],
      [],
    ]);
  });

  it('are sent a thousand at a time, as soon as there are so many', async () => {
    const { rows, sent, note } = recording();
    note(200, 2500);
    await rows.flush();
    expect(sent.map((batch) => batch.rows.length)).toEqual([1000, 1000, 500]);
    await rows.stop();
  });

  it('are sent again with the same batch id if the answer was lost', async () => {
    const { rows, state, sent, note } = recording();
    state.loseAnswer = true;
    note(200);
    await rows.flush();
    note(400);
    state.loseAnswer = false;
    await rows.flush();
    await rows.flush();
    const [first, again, next] = sent;
    expect(again).toEqual(first);
    expect(next?.batchId).not.toBe(first?.batchId);
    expect(sent.map((batch) => batch.rows.map(({ status }) => status))).toEqual([[200], [200], [400]]);
    await rows.stop();
  });

  it('are at most 10,000 while the console is down, successful calls are dropped first, and the next batch has the number', async () => {
    const { rows, state, note, ofStatus, leftOut } = recording();
    state.isDown = true;
    note(200, 9_990);
    note(404, 900);
    note(200, 7, 'other');
    await rows.flush();
    state.isDown = false;
    await rows.flush();
    expect([ofStatus(404), ofStatus(200)]).toEqual([900, 9_100]);
    expect(leftOut()).toEqual([
      ['buffer', 'tpp', 890],
      ['buffer', 'other', 7],
    ]);
    await rows.stop();
  });

  it('of refused calls are dropped, and counted, once only those are left', async () => {
    const { rows, state, note, ofStatus, leftOut } = recording();
    state.isDown = true;
    note(200, 50);
    for (let tpp = 0; tpp < 11; tpp += 1) note(400, 1000, `tpp-${tpp}`);
    state.isDown = false;
    await rows.flush();
    expect([ofStatus(400), ofStatus(200)]).toEqual([10_000, 0]);
    expect(leftOut()).toEqual([
      ['buffer', 'tpp', 50],
      ['buffer', 'tpp-10', 1000],
    ]);
    await rows.stop();
  });

  it('that the console cannot store do not keep later ones waiting, and are counted', async () => {
    const { rows, state, note, kept, leftOut } = recording(10);
    note(unstorable);
    note(404, 2, 'other');
    state.random = 0.5;
    note(200);
    await rows.flush();
    expect([kept(), leftOut()]).toEqual([[], []]);
    note(404);
    await rows.flush();
    expect(kept()).toEqual([404]);
    expect(leftOut()).toEqual([
      ['sampled', 'tpp', 1],
      ['unstored', 'tpp', 1],
      ['unstored', 'other', 2],
    ]);
    await rows.stop();
  });

  it('are given up when the gateway stops and the console cannot store even their number', async () => {
    const { rows, state, note, sent } = recording();
    state.refusesAll = true;
    note(404, 3);
    await rows.stop();
    expect(sent).toEqual([]);
  });

  it('with headers and bodies are sent in messages of at most a megabyte of them', async () => {
    const { rows, sent, note, kept } = recording();
    note(404, 3);
    note(200, 5, 'tpp', contentOf(300_000));
    await rows.flush();
    expect(sent.map((batch) => batch.rows.length)).toEqual([3 + 3, 2]);
    expect(kept()).toEqual([404, 404, 404, 200, 200, 200, 200, 200]);
    await rows.stop();
  });

  it('are sent at once when their headers and bodies fill a message', async () => {
    const { rows, sent, note } = recording();
    await rows.flush();
    note(200, 4, 'tpp', contentOf(300_000));
    // Without real time, so that no timer can send them.
    for (let turn = 0; turn < 20 && sent.length < 2; turn += 1) await setImmediate();
    expect(sent.map((batch) => batch.rows.length)).toEqual([3, 1]);
    await rows.stop();
  });

  it('that wait have at most four megabytes of headers and bodies; further ones have none', async () => {
    const { rows, sent, note } = recording();
    const bodies = (): number => sent.flatMap((batch) => batch.rows).filter((row) => row.content).length;
    note(200, 20, 'tpp', contentOf(300_000));
    await rows.flush();
    expect([sent.flatMap((batch) => batch.rows).length, bodies()]).toEqual([20, 13]);
    note(200, 1, 'tpp', contentOf(300_000));
    await rows.flush();
    expect(bodies()).toBe(14);
    await rows.stop();
  });
});
