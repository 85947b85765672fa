import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import {
  revealByCommand,
  type RevealByCommand,
  revealConsentField,
  type RevealedField,
  revealPaymentField,
} from '@xs2a/contracts/console/reveal.contract';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { createPool } from '@xs2a/postgres/pool';
import { newId } from '@xs2a/runtime/ids';
import { type InProcessService, startInProcess } from '@xs2a/runtime/testing/service-in-process';
import type { Pool } from 'pg';
import { Actions } from '../actions/actions.js';
import { verifyActions } from '../actions/action-reader.js';
import { revealsAnHour } from '../actions/operator-events.js';
import { type ConsoleWorld, startConsoleWorld } from '../testing/console-world.js';
import { RevealFields } from './reveal-fields.js';

/** What payments and consents answer, and how often they were asked. */
const services = { answer: async (): Promise<RevealedField> => ({ values: [] }), asked: 0 };

@Controller()
class ServicesDouble {
  @Handles(revealPaymentField)
  async payment(): Promise<RevealedField> {
    services.asked += 1;
    return services.answer();
  }

  @Handles(revealConsentField)
  async consent(): Promise<RevealedField> {
    return this.payment();
  }
}

@Module({ controllers: [ServicesDouble] })
class ServicesDoubleModule {}

let world: ConsoleWorld;
let owner: Pool;
let doubles: InProcessService;
beforeAll(async () => {
  world = await startConsoleWorld();
  owner = createPool({ url: world.ownerUrl, name: 'owner', max: 1 });
  doubles = await startInProcess({ name: 'payments', module: ServicesDoubleModule, natsUrl: world.natsUrl });
}, 60_000);
afterAll(async () => {
  await doubles.stop();
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
  services.answer = async () => ({ values: ['Мария Георгиева'] });
  services.asked = 0;
});

const id = newId();
const wanted = { kind: 'payment', id, entry: 1, field: 'creditorName' } as const;
const staff = { subject: 'ivanova', name: 'Ivanova', roles: ['operator'] } as const;
const request = (by: Parameters<RevealFields['reveal']>[1]['by'] = staff) => ({
  actionId: newId(),
  by,
  reason: 'case 17',
});
const fields = (instance = 0): RevealFields =>
  (world.instances[instance] as InProcessService).get(RevealFields);
const actions = (): Actions => (world.instances[0] as InProcessService).get(Actions);
const types = async (): Promise<string[]> =>
  (await owner.query<{ type: string }>('SELECT type FROM console.operator_event ORDER BY seq')).rows.map(
    ({ type }) => type,
  );
const spend = async (count: number): Promise<void> => {
  for (let made = 0; made < count; made += 1) await fields(made % 2).reveal(wanted, request());
};
const command = async (changes: Partial<Record<keyof RevealByCommand, unknown>> = {}) =>
  world.callClient.call(revealByCommand, {
    actionId: newId(),
    kind: 'payment',
    id,
    field: 'creditorName',
    operator: 'root',
    reason: 'case 17',
    ...changes,
  } as RevealByCommand);

describe('a revealed field (docs/how-to/operate-the-console.md)', () => {
  it('is recorded before it is read, without its value', async () => {
    const seen: string[] = [];
    services.answer = async () => {
      seen.push(...(await types()));
      return { values: ['Мария Георгиева'] };
    };
    const one = request();
    expect(await fields().reveal(wanted, one)).toEqual({ shown: ['Мария Георгиева'], left: 19 });
    expect(seen).toEqual(['revealed']);
    expect(await actions().find(one.actionId)).toMatchObject({
      type: 'revealed',
      via: 'console',
      staff: 'ivanova',
      act: 'reveal-field',
      target: `payment ${id}: creditorName`,
      reason: 'case 17',
      end: null,
      outcome: null,
    });
    const { rows } = await owner.query<{ all: string }>(
      'SELECT string_agg(event::text, $1) AS all FROM console.operator_event AS event',
      [''],
    );
    expect(rows[0]?.all).not.toContain('Мария');
  });

  it('is not read if it cannot be recorded', async () => {
    await owner.query('REVOKE INSERT ON console.operator_event FROM xs2a_console');
    try {
      await expect(fields().reveal(wanted, request())).rejects.toThrow(/permission denied/);
    } finally {
      await owner.query('GRANT INSERT ON console.operator_event TO xs2a_console');
    }
    expect(services.asked).toBe(0);
  });

  it('is shown once for one request, also if two instances get it at the same time', async () => {
    const one = request();
    const answers = await Promise.all(
      [0, 1, 0, 1].map(async (instance) => fields(instance).reveal(wanted, one)),
    );
    expect(answers.filter((answer) => 'shown' in answer)).toHaveLength(1);
    expect(services.asked).toBe(1);
    expect(await types()).toEqual(['revealed']);
    expect(await fields().reveal(wanted, one)).toEqual({
      refused: 'This request was already answered. To see the data again, ask again.',
    });
  });

  it.each<[string, () => Promise<RevealedField>, RegExp]>([
    ['was erased', async () => ({ missing: 'erased' }), /^The personal data were erased\.$/],
    ['is not stored', async () => ({ missing: 'unknown' }), /^Nothing with this id is stored/],
    [
      'cannot be read because a service does not answer',
      async () => {
        throw dependencyDown('payments');
      },
      /^payments did not answer\. Nothing was shown\.$/,
    ],
  ])('that %s is recorded as not shown', async (_what, answer, text) => {
    services.answer = answer;
    const one = request();
    expect(await fields().reveal(wanted, one)).toEqual({ refused: expect.stringMatching(text) });
    expect(await actions().find(one.actionId)).toMatchObject({
      type: 'revealed',
      end: 'action-failed',
      outcome: expect.stringMatching(text),
    });
  });
});

describe('the quota of reveals', () => {
  it('is 20 an hour for one person over all instances: of 20 requests at 19, exactly one is answered', async () => {
    await spend(revealsAnHour - 1);
    services.asked = 0;
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => fields(index % 2).reveal(wanted, request())),
    );
    expect(answers.filter((answer) => 'shown' in answer)).toEqual([{ shown: ['Мария Георгиева'], left: 0 }]);
    expect(services.asked).toBe(1);
    expect(await types()).toHaveLength(revealsAnHour);
    const refused = answers.find((answer) => 'refused' in answer);
    expect(refused).toEqual({
      refused: expect.stringMatching(
        /^You have revealed data 20 times within an hour\. You can reveal again at \d\d:\d\d:\d\d UTC\.$/,
      ),
    });
    expect(await verifyActions(actions().ask)).toMatchObject({ records: revealsAnHour, brokenAt: null });
  });

  it('is that of each person, and has one more when an hour has passed since the oldest', async () => {
    await spend(revealsAnHour);
    const other = { ...staff, subject: 'petrov', name: 'Petrov' };
    expect(await fields().reveal(wanted, request(other))).toMatchObject({ left: 19 });
    expect(await fields().reveal(wanted, request())).toHaveProperty('refused');
    await change("UPDATE console.operator_event SET at = at - interval '61 minutes' WHERE seq = 1");
    expect(await fields().reveal(wanted, request())).toMatchObject({ left: 0 });
    expect(await fields().reveal(wanted, request())).toHaveProperty('refused');
  });

  it('counts what the same person reveals by command, whatever the case of the name, and all commands together', async () => {
    await spend(revealsAnHour - 1);
    expect(await command({ operator: 'ivanova' })).toMatchObject({ left: 0 });
    expect(await command({ operator: 'IVANOVA' })).toHaveProperty('refused');
    expect(await fields().reveal(wanted, request())).toHaveProperty('refused');
    expect(await command({ operator: 'root' })).toMatchObject({ left: 18 });
    for (let made = 0; made < 18; made += 1) await command({ operator: `invented ${made}` });
    expect(await command({ operator: 'another' })).toEqual({
      refused: expect.stringMatching(/^Commands have revealed data 20 times within an hour\./),
    });
  });
});

describe('a field that is revealed by command', () => {
  it('is recorded like one of the page, with the name that the operator gave', async () => {
    const actionId = newId();
    services.answer = async () => ({ values: ['BG25XSBK92001000000001', 'BG45XSBK92001500000012'] });
    expect(await command({ actionId, kind: 'consent', field: 'accounts' })).toEqual({
      values: ['BG25XSBK92001000000001', 'BG45XSBK92001500000012'],
      left: 19,
    });
    expect(await actions().find(actionId)).toMatchObject({
      type: 'revealed',
      via: 'command',
      name: 'root',
      roles: [],
      target: `consent ${id}: accounts`,
    });
    await command({ actionId: newId(), entry: 7 });
    expect(
      await actions().ask('SELECT target FROM operator_event WHERE target LIKE $1', ['%entry%']),
    ).toEqual([{ target: `payment ${id}: creditorName of entry 7` }]);
  });

  it.each<[string, Partial<Record<keyof RevealByCommand, unknown>>]>([
    ['an id that is none', { id: 'x' }],
    ['an action id that is none', { actionId: 'x' }],
    ['a field of the other kind', { field: 'accounts' }],
    ['a field that is not encrypted', { field: 'product' }],
    ['a field that every object has', { field: 'toString' }],
    ['another kind', { kind: 'signing-basket' }],
    ['an entry that is none', { entry: 0 }],
    ['nobody as the operator', { operator: ' ' }],
    ['no reason', { reason: '' }],
    ['a reason with an account', { reason: 'account BG80BNBG96611020345678' }],
  ])('is refused for %s, and nothing is recorded', async (_what, changes) => {
    await expect(command(changes)).rejects.toThrow('fieldMalformed');
    expect([await types(), services.asked]).toEqual([[], 0]);
  });
});
