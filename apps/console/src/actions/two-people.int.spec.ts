import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { requestAction, type RequestedAction } from '@xs2a/contracts/console/approval.contract';
import { createLogger } from '@xs2a/observability/logger';
import { createPool } from '@xs2a/postgres/pool';
import { newId } from '@xs2a/runtime/ids';
import type { InProcessService } from '@xs2a/runtime/testing/service-in-process';
import type { Pool } from 'pg';
import type { ConsoleConfig } from '../config.js';
import { type ConsoleWorld, startConsoleWorld } from '../testing/console-world.js';
import { listWaiting, verifyActions } from './action-reader.js';
import { Actions } from './actions.js';
import { type Act, acts } from './acts.js';
import { OperatorEvents } from './operator-events.js';
import { type Acts, TwoPeople } from './two-people.js';

/** A bank in which blocking a TPP would move money. */
const table: Acts = { ...acts, 'block-tpp': { does: 'block a TPP', movesMoney: true } };
const ran: string[] = [];
const block = async (): Promise<string> => {
  ran.push('block-tpp');
  return 'The TPP is blocked.';
};

let world: ConsoleWorld;
let owner: Pool;
beforeAll(async () => {
  world = await startConsoleWorld({ CONSOLE_TWO_PEOPLE: 'all' });
  owner = createPool({ url: world.ownerUrl, name: 'owner', max: 1 });
  for (const instance of world.instances)
    instance.get(TwoPeople).register('block-tpp', {
      does: 'Blocks the TPP.',
      isTarget: (target) => target === 'sandbox-tpp',
      run: block,
    });
}, 60_000);
afterAll(async () => {
  await owner.end();
  await world.stop();
});
const change = async (sql: string): Promise<void> => {
  await owner.query('ALTER TABLE console.operator_event DISABLE TRIGGER USER');
  await owner.query(sql);
  await owner.query('ALTER TABLE console.operator_event ENABLE TRIGGER USER');
};
beforeEach(async () => {
  await change('TRUNCATE console.operator_event');
  ran.splice(0);
});

/** The actions of a console with this setting and {@link table}; with `run`, blocking can run from its record. */
const consoleWith = (
  which: ConsoleConfig['CONSOLE_TWO_PEOPLE'],
  run: typeof block | undefined = block,
): Actions => {
  const twoPeople = new TwoPeople({ CONSOLE_TWO_PEOPLE: which }, table);
  if (run !== undefined) twoPeople.register('block-tpp', { does: 'Blocks it.', isTarget: () => true, run });
  return new Actions(
    new OperatorEvents(world.source),
    twoPeople,
    world.source,
    createLogger('test', 'silent'),
  );
};
const ivanova = { subject: 'ivanova', name: 'Ivanova', roles: ['operator', 'approver'] } as const;
const petrov = { subject: 'petrov', name: 'Petrov', roles: ['approver'] } as const;
const request = (changes: { readonly act?: Act } = {}) =>
  ({
    actionId: newId(),
    staff: ivanova,
    act: 'block-tpp',
    target: 'sandbox-tpp',
    reason: 'case 17',
    ...changes,
  }) as const;
const requested = async (actions: Actions): Promise<string> => {
  const one = request();
  await actions.perform(one, block);
  return one.actionId;
};
const decision = (actionId: string, changes: object = {}) => ({
  ...({ actionId, staff: petrov, decision: 'approved', reason: 'case 17 is clear' } as const),
  ...changes,
});
const rows = async (): Promise<string[]> =>
  (
    await owner.query<{ row: string }>(
      `SELECT type || ' ' || name AS row FROM console.operator_event ORDER BY seq`,
    )
  ).rows.map(({ row }) => row);

describe('an action that needs two people', () => {
  it('waits until another person approves it, and then runs once, with each step in the chain', async () => {
    const actions = consoleWith('money');
    const actionId = await requested(actions);
    expect([ran, await rows()]).toEqual([[], ['action-requested Ivanova']]);
    expect(await actions.find(actionId)).toMatchObject({
      isForTwo: true,
      decision: null,
      end: null,
      outcome: null,
    });
    expect(await actions.decide(decision(actionId))).toHaveProperty('recorded');
    expect(ran).toEqual(['block-tpp']);
    expect(await rows()).toEqual(['action-requested Ivanova', 'approved Petrov', 'action-done Petrov']);
    expect(await actions.find(actionId)).toMatchObject({
      name: 'Ivanova',
      target: 'sandbox-tpp',
      decision: 'approved',
      decidedBy: 'Petrov',
      decisionReason: 'case 17 is clear',
      end: 'action-done',
      outcome: 'The TPP is blocked.',
    });
    expect(await verifyActions(actions.ask)).toMatchObject({ records: 3, brokenAt: null });
  });

  it('runs once if two people approve it at the same time in two instances', async () => {
    const actions = consoleWith('money');
    const actionId = await requested(actions);
    const dimitrov = { ...petrov, subject: 'dimitrov', name: 'Dimitrov' };
    const answers = await Promise.all(
      world.instances.flatMap((instance) =>
        [petrov, dimitrov, petrov].map(async (staff) =>
          instance.get(Actions).decide(decision(actionId, { staff })),
        ),
      ),
    );
    expect(answers.filter((answer) => 'recorded' in answer)).toHaveLength(1);
    expect(answers.filter((answer) => 'refused' in answer)).toEqual(
      Array.from({ length: 5 }, () => ({ refused: 'decided' })),
    );
    expect(ran).toEqual(['block-tpp']);
    expect(await rows()).toHaveLength(3);
  });

  it('counts only the first decision if one person approves it and another refuses it at the same time', async () => {
    const actions = consoleWith('money');
    const actionId = await requested(actions);
    await Promise.all([
      actions.decide(decision(actionId)),
      actions.decide(decision(actionId, { decision: 'refused', reason: 'not the case' })),
    ]);
    const found = await actions.find(actionId);
    expect(ran).toHaveLength(found?.decision === 'approved' ? 1 : 0);
    expect((await rows()).filter((row) => /^(approved|refused)/.test(row))).toHaveLength(1);
  });

  it('is not approved or refused by the person who requested it, in whatever role or case of the name', async () => {
    const actions = consoleWith('money');
    const actionId = await requested(actions);
    for (const staff of [
      ivanova,
      { ...ivanova, name: 'Another name', roles: ['approver'] },
      { ...petrov, name: 'IVANOVA' },
    ])
      for (const which of ['approved', 'refused'])
        expect(await actions.decide(decision(actionId, { staff, decision: which }))).toEqual({
          refused: 'own',
        });
    expect([ran, await rows()]).toEqual([[], ['action-requested Ivanova']]);
  });

  it('does not run if it is refused, and cannot be approved afterwards', async () => {
    const actions = consoleWith('money');
    const actionId = await requested(actions);
    await actions.decide(decision(actionId, { decision: 'refused', reason: 'not the case' }));
    expect(await actions.decide(decision(actionId))).toEqual({ refused: 'decided' });
    expect([ran, await rows()]).toEqual([[], ['action-requested Ivanova', 'refused Petrov']]);
    expect(await actions.find(actionId)).toMatchObject({
      decision: 'refused',
      decisionReason: 'not the case',
    });
  });

  it('expires after 24 hours', async () => {
    const actions = consoleWith('money');
    const actionId = await requested(actions);
    const since = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
    expect(await listWaiting(actions.ask, since(24), 10)).toMatchObject([{ actionId }]);
    await change("UPDATE console.operator_event SET at = at - interval '24 hours'");
    expect(await listWaiting(actions.ask, since(24), 10)).toEqual([]);
    expect(await actions.decide(decision(actionId))).toEqual({ refused: 'expired' });
    expect(ran).toEqual([]);
  });

  it('is recorded as failed if it fails after the approval', async () => {
    const actions = consoleWith('money', async () => {
      throw new Error('secret');
    });
    const actionId = await requested(actions);
    await actions.decide(decision(actionId));
    expect(await actions.find(actionId)).toMatchObject({
      decision: 'approved',
      end: 'action-failed',
      outcome: 'Unexpected error. The log of the console says more.',
    });
  });

  it('is not recorded if it could never run', async () => {
    const actions = consoleWith('money');
    const without = new TwoPeople({ CONSOLE_TWO_PEOPLE: 'money' }, table);
    const logger = createLogger('test', 'silent');
    const broken = new Actions(new OperatorEvents(world.source), without, world.source, logger);
    await expect(broken.perform(request(), block)).rejects.toThrow('cannot run from its record');
    expect([ran, await rows()]).toEqual([[], []]);
    expect(await actions.decide(decision(newId()))).toEqual({ refused: 'unknown' });
  });

  it('is no request that ran by itself: nobody can approve that', async () => {
    const one = request();
    await consoleWith('none').perform(one, block);
    expect(await consoleWith('money').decide(decision(one.actionId))).toEqual({ refused: 'unknown' });
    expect(ran).toHaveLength(1);
  });
});

describe('CONSOLE_TWO_PEOPLE', () => {
  it.each([
    ['none', []],
    ['money', ['block-tpp', 'try-settlement-now', 'hand-to-settlement']],
    ['all', ['block-tpp', 'replay-notifications', 'try-settlement-now', 'hand-to-settlement']],
  ] as const)('=%s: these wait: %j', async (which, waiting) => {
    const twoPeople = new TwoPeople({ CONSOLE_TWO_PEOPLE: which }, table);
    for (const act of ['block-tpp', 'replay-notifications'] as const)
      twoPeople.register(act, { does: 'x', isTarget: () => true, run: block });
    expect((Object.keys(acts) as Act[]).filter((act) => twoPeople.isNeeded(act))).toEqual(waiting);
  });
});

describe('an action that is requested by command', () => {
  const ask = async (changes: Partial<Record<keyof RequestedAction, unknown>> = {}) =>
    world.callClient.call(requestAction, {
      actionId: newId(),
      act: 'block-tpp',
      target: 'sandbox-tpp',
      operator: 'root',
      reason: 'case 17',
      ...changes,
    } as RequestedAction);
  const decide = async (actionId: string, staff: object = petrov) =>
    (world.instances[0] as InProcessService).get(Actions).decide(decision(actionId, { staff }));

  it('waits like one of the page, and the person with that name cannot approve it', async () => {
    const actionId = newId();
    expect(await ask({ actionId, operator: 'petrov' })).toEqual({ waits: true });
    expect(await ask({ actionId, operator: 'petrov' })).toEqual({ waits: true });
    expect(await rows()).toEqual(['action-requested petrov']);
    expect(await decide(actionId)).toEqual({ refused: 'own' });
    await decide(actionId, ivanova);
    expect(await rows()).toEqual(['action-requested petrov', 'approved Ivanova', 'action-done Ivanova']);
  });

  it('does not wait, and is not recorded, if it needs no second person', async () => {
    expect(await ask({ act: 'lift-sca-lock', target: 'psu' })).toEqual({ waits: false });
    expect(await rows()).toEqual([]);
  });

  it.each<[string, Partial<Record<keyof RequestedAction, unknown>>]>([
    ['an unknown action', { act: 'toString' }],
    ['a target that the action cannot have', { target: 'Maria Petrova' }],
    ['no target', { target: undefined }],
    ['a reason with an account', { reason: 'account BG80BNBG96611020345678' }],
    ['nobody', { operator: '' }],
  ])('is refused for %s, and nothing is recorded', async (_what, changes) => {
    await expect(ask(changes)).rejects.toThrow('fieldMalformed');
    expect(await rows()).toEqual([]);
  });
});
