import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { recordAction } from '@xs2a/contracts/console.contract';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { createPool } from '@xs2a/postgres/pool';
import { newId } from '@xs2a/runtime/ids';
import type { Pool } from 'pg';
import { type ConsoleWorld, startConsoleWorld } from '../testing/console-world.js';
import { firstBrokenOf, listActions, verifyActions } from './action-reader.js';
import { ActionRefused, type ActionRequest, Actions } from './actions.js';
import { KeptActions } from './kept-actions.js';
import { OperatorEventEntity } from './operator-event.entity.js';
import { OperatorEvents } from './operator-events.js';

let world: ConsoleWorld;
let owner: Pool;
let actions: Actions;
beforeAll(async () => {
  world = await startConsoleWorld();
  owner = createPool({ url: world.ownerUrl, name: 'owner', max: 1 });
  actions = (world.instances[0] as (typeof world.instances)[number]).get(Actions);
}, 60_000);
afterAll(async () => {
  await owner.end();
  await world.stop();
});

/** Changes the table as only its owner can, who must remove the triggers first. */
const tamper = async (sql: string): Promise<void> => {
  await owner.query('ALTER TABLE console.operator_event DISABLE TRIGGER USER');
  await owner.query(sql);
  await owner.query('ALTER TABLE console.operator_event ENABLE TRIGGER USER');
};
beforeEach(async () => tamper('TRUNCATE console.operator_event'));

const staff = { subject: 'ivanova', name: 'Ivanova', roles: ['operator'] } as const;
const request = (changes: Partial<ActionRequest> = {}): ActionRequest => ({
  actionId: newId(),
  staff,
  act: 'lift-sca-lock',
  target: 'psu 3f9a0c4be211',
  reason: 'case 17',
  ...changes,
});
const rows = async (): Promise<OperatorEventEntity[]> =>
  world.source.manager.find(OperatorEventEntity, { order: { seq: 'ASC' } });
const types = async (): Promise<string[]> => (await rows()).map(({ type }) => type);
const verify = async () => verifyActions(actions.ask);
const perform = async (count: number): Promise<string[]> => {
  const requests = Array.from({ length: count }, () => request());
  for (const one of requests) await actions.perform(one, async () => 'Done.');
  return requests.map(({ actionId }) => actionId);
};

describe('recorded actions of the staff (docs/how-to/operate-the-console.md)', () => {
  it('are recorded before they run and when they have ended', async () => {
    const seen: string[] = [];
    const one = request();
    await actions.perform(one, async () => {
      seen.push(...(await types()));
      return 'The lock is lifted.';
    });
    expect(seen).toEqual(['action-requested']);
    expect(await types()).toEqual(['action-requested', 'action-done']);
    expect(await actions.find(one.actionId)).toEqual({
      seq: 1,
      actionId: one.actionId,
      at: expect.any(Date),
      type: 'action-requested',
      via: 'console',
      staff: 'ivanova',
      name: 'Ivanova',
      roles: ['operator'],
      act: 'lift-sca-lock',
      target: 'psu 3f9a0c4be211',
      reason: 'case 17',
      end: 'action-done',
      endedAt: expect.any(Date),
      outcome: 'The lock is lifted.',
      isForTwo: false,
      decision: null,
      decidedAt: null,
      decidedBy: null,
      decisionReason: null,
    });
  });

  it.each([
    [new ActionRefused('SCA was not locked.'), 'SCA was not locked.'],
    [dependencyDown('auth'), /^auth did not answer\. The action may have been done/],
    [new Error('secret'), 'Unexpected error. The log of the console says more.'],
  ])('have a failed outcome that names nothing secret: %#', async (error, outcome) => {
    await actions.perform(request(), async () => {
      throw error;
    });
    const [, end] = await rows();
    expect([end?.type, end?.outcome]).toEqual([
      'action-failed',
      typeof outcome === 'string' ? outcome : expect.stringMatching(outcome),
    ]);
  });

  it('do not run if they cannot be recorded', async () => {
    await owner.query('REVOKE INSERT ON console.operator_event FROM xs2a_console');
    let ran = false;
    const run = async (): Promise<string> => {
      ran = true;
      return '';
    };
    try {
      await expect(actions.perform(request(), run)).rejects.toThrow(/permission denied/);
    } finally {
      await owner.query('GRANT INSERT ON console.operator_event TO xs2a_console');
    }
    expect(ran).toBe(false);
  });

  it('run once if a form is sent twice, also at the same time to two instances', async () => {
    const one = request();
    let ran = 0;
    const run = async (): Promise<string> => {
      ran += 1;
      return 'Done.';
    };
    await Promise.all(
      world.instances.flatMap((instance) => [
        instance.get(Actions).perform(one, run),
        instance.get(Actions).perform(one, run),
      ]),
    );
    await actions.perform(one, run);
    expect(ran).toBe(1);
    expect(await types()).toEqual(['action-requested', 'action-done']);
  });

  it('have no outcome if the console ended while they ran', async () => {
    const one = request();
    const { staff: who, ...event } = one;
    await (world.instances[0] as (typeof world.instances)[number]).get(OperatorEvents).append({
      ...event,
      type: 'action-requested',
      via: 'console',
      staff: who.subject,
      name: who.name,
      roles: who.roles,
      outcome: null,
    });
    expect(await actions.find(one.actionId)).toMatchObject({ end: null, outcome: null, endedAt: null });
  });

  it('are listed by person and act, and in pages', async () => {
    const mine = await perform(3);
    await actions.perform(
      request({ staff: { ...staff, name: 'Petrov' }, act: 'block-tpp' }),
      async () => 'x',
    );
    const ids = async (filter: object, limit = 10): Promise<string[]> =>
      (await listActions(actions.ask, filter, limit)).map(({ actionId }) => actionId);
    expect(await ids({ by: 'Ivanova' })).toEqual(mine.toReversed());
    expect(await ids({ by: 'ivanova', act: 'block-tpp' })).toHaveLength(1);
    expect(await ids({ by: 'nobody' })).toEqual([]);
    const [newest] = await listActions(actions.ask, { act: 'lift-sca-lock' }, 1);
    expect(await ids({ before: newest?.seq })).toEqual(mine.slice(0, 2).toReversed());
  });

  it('that an operator did by command to anything else than a PSU are recorded with their target', async () => {
    const action = {
      actionId: newId(),
      act: 'block-tpp',
      target: 'sandbox-tpp',
      operator: 'root',
      reason: 'case 17',
      isDone: false,
      outcome: 'There is no such TPP.',
    };
    await world.callClient.call(recordAction, action);
    expect(await actions.find(action.actionId)).toMatchObject({
      act: 'block-tpp',
      target: 'sandbox-tpp',
      end: 'action-failed',
      via: 'command',
    });
  });

  it('that an operator did by command are recorded once, with a PSU only as a tag', async () => {
    const action = {
      actionId: newId(),
      act: 'lift-sca-lock',
      psuId: 'maria.p',
      operator: 'root',
      reason: 'case 17',
      isDone: true,
      outcome: 'The lock is lifted.',
    } as const;
    await world.callClient.call(recordAction, action);
    await world.callClient.call(recordAction, action);
    expect(await types()).toEqual(['action-requested', 'action-done']);
    expect(await actions.find(action.actionId)).toMatchObject({
      via: 'command',
      name: 'root',
      roles: [],
      target: expect.stringMatching(/^psu [0-9a-f]{12}$/),
    });
    const wrong = [
      { actionId: 'x' },
      { act: 'x' },
      { psuId: '' },
      { operator: '\0' },
      { reason: 'for Maria.P' },
      { reason: 'account BG80BNBG96611020345678' },
      { outcome: 7 },
      { target: 'x' },
      { act: 'end-consent' },
      { act: 'end-consent', psuId: undefined },
      { act: 'end-consent', psuId: undefined, target: '\0' },
      { act: 'toString' },
    ];
    for (const change of wrong)
      await expect(world.callClient.call(recordAction, { ...action, ...change } as never)).rejects.toThrow(
        'fieldMalformed',
      );
  });
});

describe('the hash chain of recorded actions', () => {
  it('stays one chain without gaps when two instances append at the same time', async () => {
    const all = world.instances.map((instance) => instance.get(Actions));
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        (all[index % 2] as Actions).perform(request(), async () => `Done ${index}.`),
      ),
    );
    expect((await rows()).map(({ seq }) => Number(seq))).toEqual(
      Array.from({ length: 40 }, (_, at) => at + 1),
    );
    expect(await verify()).toMatchObject({ records: 40, firstSeq: 1, brokenAt: null, last: { seq: 40 } });
  });

  it.each([
    ['a changed reason', "UPDATE console.operator_event SET reason = 'other' WHERE seq = 3", 3],
    ['a changed person', "UPDATE console.operator_event SET staff = 'petrov' WHERE seq = 3", 3],
    ['a changed role', `UPDATE console.operator_event SET roles = '["viewer"]' WHERE seq = 3`, 3],
    ['a changed time', "UPDATE console.operator_event SET at = at + interval '1 s' WHERE seq = 3", 3],
    ['a changed outcome', "UPDATE console.operator_event SET outcome = 'x' WHERE seq = 4", 4],
    ['a removed record', 'DELETE FROM console.operator_event WHERE seq = 3', 4],
    ['another removed record', 'DELETE FROM console.operator_event WHERE seq = 2', 3],
    [
      'a record whose number was changed to hide a removed one',
      'DELETE FROM console.operator_event WHERE seq = 2; UPDATE console.operator_event SET seq = 2 WHERE seq = 3',
      2,
    ],
  ])('shows %s', async (_, sql, brokenAt) => {
    const ids = await perform(3);
    expect(await firstBrokenOf(actions.ask, ids)).toBeUndefined();
    await tamper(sql);
    expect((await verify()).brokenAt).toBe(brokenAt);
    expect(await firstBrokenOf(actions.ask, ids)).toBe(brokenAt);
  });

  it('verifies a page whose actions are not neighbours', async () => {
    const [first, , third] = await perform(3);
    expect(await firstBrokenOf(actions.ask, [first, third] as string[])).toBeUndefined();
    await tamper("UPDATE console.operator_event SET reason = 'other' WHERE seq = 5");
    expect(await firstBrokenOf(actions.ask, [first, third] as string[])).toBe(5);
    expect(await firstBrokenOf(actions.ask, [])).toBeUndefined();
  });

  it('cannot be changed by the service or, with its triggers, by the owner of the table', async () => {
    await perform(1);
    for (const sql of [
      'UPDATE console.operator_event SET outcome = outcome',
      'DELETE FROM console.operator_event',
      'TRUNCATE console.operator_event',
    ]) {
      await expect(world.pool.query(sql)).rejects.toThrow(/permission denied/);
      await expect(owner.query(sql)).rejects.toThrow(/never changed/);
    }
  });

  it('loses its oldest records after ACTION_DAYS, never the newest, and then begins with the first that is kept', async () => {
    const kept = (world.instances[0] as (typeof world.instances)[number]).get(KeptActions);
    await perform(2);
    await kept.removeOld();
    expect(await rows()).toHaveLength(4);
    await tamper("UPDATE console.operator_event SET at = at - interval '3654 days' WHERE seq <= 2");
    await kept.removeOld();
    expect(await verify()).toMatchObject({ records: 2, firstSeq: 3, brokenAt: null });
    await tamper("UPDATE console.operator_event SET at = at - interval '3654 days'");
    await kept.removeOld();
    expect((await rows()).map(({ seq }) => Number(seq))).toEqual([4]);
    await perform(1);
    expect((await rows()).map(({ seq }) => Number(seq))).toEqual([4, 5, 6]);
  });
});
