// Lane: long, alone (this file takes a minute or more).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { overdue } from '@xs2a/invariants/due-left';
import { type Invariant, invariantChecks } from '@xs2a/invariants/invariants';
import { Schemas } from '@xs2a/invariants/schemas';
import { basketBreaks, type Statement } from '../testing/basket-breaks.js';
import { type KnownWorld, startKnownWorld } from '../testing/known-world.js';
import type { ChaosWorld } from '../world.js';
import { readModels } from './read-models.js';
import { signedTo } from './signed-to.js';
import { wronglyRefusedPayments } from './wrongly-refused.js';

let known: KnownWorld;
let world: ChaosWorld;
let payments: KnownWorld['payments'];
let servers: Pool;
let paidToTheShort: string;
const id = (name: keyof KnownWorld['payments']): string => payments[name].paymentId;

beforeAll(async () => {
  known = await startKnownWorld();
  ({ world, payments } = known);
  const url = new URL(world.sandbox.databaseUrl('postgres'));
  url.pathname = '/postgres';
  servers = new Pool({ connectionString: url.href, max: 1 });
}, 120_000);
afterAll(async () => {
  await servers?.end();
  await world?.stop();
}, 30_000);

describe('an invariant check on the database (quality, Reliability; invariants 1 to 8)', () => {
  beforeAll(async () => {
    await known.signOneMore();
    paidToTheShort = await signedTo(world, id('settled'), known.poorIban);
    await Promise.all(Object.values(world.sandbox.services).map(async (service) => service.stop()));
    await world.schemas.end();
  }, 60_000);

  /** Executes the statements in a copy of the database, and then runs the work there. */
  const after = async <Value>(
    statements: readonly Statement[],
    look: (schemas: Schemas) => Promise<Value>,
  ): Promise<Value> => {
    const url = new URL(world.sandbox.databaseUrl('postgres'));
    await servers.query(`CREATE DATABASE broken TEMPLATE ${url.pathname.slice(1)}`);
    url.pathname = '/broken';
    const schemas = new Schemas(url.href);
    try {
      for (const [text, ...values] of statements) await schemas.of('payments').query(text, values);
      return await look(schemas);
    } finally {
      await schemas.end();
      await servers.query('DROP DATABASE broken');
    }
  };
  const violated = async (number: Invariant['number'], statements: readonly Statement[]) =>
    after(statements, async (schemas) => {
      const check = invariantChecks({ schemas, nats: async () => world.nats, readModels }).find(
        (one) => one.number === number,
      );
      return (await check?.check())?.violations;
    });

  it.each([1, 2, 3, 4, 5, 6, 7, 8] as const)('(%i) finds no violation in unchanged data', async (number) => {
    expect(await violated(number, [])).toEqual([]);
  });

  const anotherTransfer = (kind: string, changes: string): string =>
    `INSERT INTO accounts.transfer SELECT (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid()) || ${changes})).*
     FROM accounts.transfer t WHERE payment_id = $1 AND kind = '${kind}'`;
  /** SQL for the id under which the occurrence of the order is booked. */
  const occurrence = `(SELECT t.payment_id FROM accounts.transfer t JOIN payments.events e ON t.id = (e.data->>'holdId')::uuid
    WHERE e.stream_id = $1 AND e.type = 'transaction-started')`;
  const holds = (name: 'cancelled' | 'unfunded' | 'unsigned'): Statement => [
    anotherTransfer('hold', `jsonb_build_object('payment_id', '${id(name)}')`),
    id('settled'),
  ];

  it.each([
    [
      1,
      'money that came from nowhere',
      () => [['UPDATE accounts.ledger_account SET credits_posted = credits_posted + 1 WHERE customer']],
      'are not the sums of its transfers',
    ],
    [
      1,
      'counters that are not the sums of transfers',
      () => [['UPDATE accounts.ledger_account SET debits_pending = debits_pending + 1 WHERE customer']],
      'are not the sums of its transfers',
    ],
    [
      1,
      'an overdraft',
      () => [
        ['ALTER TABLE accounts.ledger_account DROP CONSTRAINT no_overdraft'],
        [
          'UPDATE accounts.ledger_account SET debits_posted = credits_posted + credit_limit + 1 WHERE customer',
        ],
      ],
      'is overdrawn beyond its limit',
    ],
    [
      2,
      'two holds of a payment',
      () => [[anotherTransfer('hold', "'{}'"), id('settled')]],
      '(ACSC) has 2 holds, 1 posts',
    ],
    [
      2,
      'a payment that was posted twice',
      () => [['DROP INDEX accounts.transfer_completion'], [anotherTransfer('post', "'{}'"), id('settled')]],
      '(ACSC) has 1 holds, 2 posts',
    ],
    [
      2,
      'a posting and a release',
      () => [
        ['DROP INDEX accounts.transfer_completion'],
        [anotherTransfer('post', `'{"kind": "void"}'`), id('settled')],
      ],
      '1 posts, 1 voids',
    ],
    [
      2,
      'a second ACSC',
      () => [
        [
          `INSERT INTO payments.events
           SELECT (jsonb_populate_record(e, jsonb_build_object('version', version + 1))).*
           FROM payments.events e WHERE stream_id = $1 AND type = 'settled'`,
          id('settled'),
        ],
      ],
      '2 × settled',
    ],
    [
      2,
      'ACSC without a posting',
      () => [["DELETE FROM accounts.transfer WHERE payment_id = $1 AND kind = 'post'", id('settled')]],
      '(ACSC) has 1 holds, 0 posts',
    ],
    [
      2,
      'an amount other than the ordered one',
      () => [['UPDATE accounts.transfer SET amount = 2501 WHERE payment_id = $1', id('settled')]],
      'is of 2500, its transfers of 2501 to 2501',
    ],
    [
      2,
      'an occurrence that was settled twice',
      () => [
        [
          `INSERT INTO payments.events
           SELECT (jsonb_populate_record(e, jsonb_build_object('version', version + 100))).*
           FROM payments.events e WHERE stream_id = $1 AND type = 'transaction-settled'`,
          known.orderId,
        ],
      ],
      '2 × settled',
    ],
    [
      2,
      'an occurrence with an amount other than the ordered one',
      () => [[`UPDATE accounts.transfer SET amount = 101 WHERE payment_id = ${occurrence}`, known.orderId]],
      'is of 100, its transfers of 101 to 101',
    ],
    [
      2,
      'an occurrence that is settled but was not posted',
      () => [
        [`DELETE FROM accounts.transfer WHERE kind = 'post' AND payment_id = ${occurrence}`, known.orderId],
      ],
      'has 1 holds, 0 posts, 0 voids, 1 × settled',
    ],
    [
      2,
      'an occurrence that was left out',
      () => [
        [
          `DELETE FROM payments.events WHERE stream_id = $1 AND type LIKE 'transaction-%' AND data->>'number' = '1'`,
          known.orderId,
        ],
      ],
      'transaction 2 of',
    ],
    [
      2,
      'money that moved for an occurrence that did not start',
      () => [
        [`DELETE FROM payments.events WHERE stream_id = $1 AND type = 'transaction-started'`, known.orderId],
      ],
      'has 1 holds, 1 posts, 0 voids, and was not started',
    ],
    [
      2,
      'money that moved without an order',
      () => [
        [
          `UPDATE accounts.transfer SET payment_id = gen_random_uuid() WHERE kind = 'hold' AND payment_id = $1`,
          id('settled'),
        ],
      ],
      'belong to no payment',
    ],
    [
      3,
      'a missing payment',
      () => [['DELETE FROM payments.payment_view WHERE stream_id = $1', id('unsigned')]],
      'was acknowledged but is lost',
    ],
    [3, 'a missing consent', () => [['DELETE FROM consents.consent_view']], 'was acknowledged but is lost'],
    [
      4,
      'a missing event',
      () => [['DELETE FROM payments.events WHERE stream_id = $1 AND version = 2', id('settled')]],
      'The event appended as version 2 is gone.',
    ],
    [
      4,
      'an event without a position',
      () => [['DELETE FROM payments.log WHERE pos = (SELECT max(pos) FROM payments.log)']],
      'The event has no position and is not waiting for one',
    ],
    [
      4,
      'a missing position',
      () => [['UPDATE payments.log SET pos = pos + 1 WHERE pos = (SELECT max(pos) FROM payments.log)']],
      'The log has no such position.',
    ],
    [
      4,
      'a different event than the published one',
      () => [
        [
          'UPDATE payments.events SET event_id = gen_random_uuid() WHERE (stream_id, version) = (SELECT stream_id, version FROM payments.log WHERE pos = 1)',
        ],
      ],
      'position 1: Another event was published at this position.',
    ],
    [
      4,
      'an event whose content differs from the published one',
      () => [
        [
          `UPDATE payments.events SET data = (data::jsonb || '{"psuId": "somebody"}')::json WHERE stream_id = $1 AND version = 1`,
          id('unsigned'),
        ],
      ],
      'The published event has different content.',
    ],
    [
      5,
      'a status view that differs',
      () => [["UPDATE payments.payment_view SET status = 'RCVD' WHERE stream_id = $1", id('settled')]],
      'differs from its events in status',
    ],
    [
      5,
      'a consent view that differs',
      () => [["UPDATE consents.consent_view SET status = 'expired'"]],
      'differs from its events in status',
    ],
    [
      5,
      'a projection that differs',
      () => [["UPDATE payments.payment_volume_daily SET minor = minor + 1 WHERE outcome = 'settled'"]],
      '2 rows of payment_volume_daily differ from the events',
    ],
    [
      6,
      'a transition that is not in the table',
      () => [
        ["UPDATE payments.events SET type = 'settled' WHERE stream_id = $1 AND version = 2", id('cancelled')],
      ],
      'settled cannot happen when RCVD',
    ],
    [6, 'money held after CANC', () => [holds('cancelled')], 'ended as CANC, yet 1 hold'],
    [6, 'money held without a signature', () => [holds('unsigned')], 'is not signed, yet it has a transfer'],
    [6, 'money held without funds', () => [holds('unfunded')], 'ended as ACCP, yet 1 hold'],
    [
      8,
      'five reads where four are allowed',
      () => [['UPDATE consents.access_window SET calls = calls || (calls[1] + 86399999999)']],
      'accounts: more than 4 calls in 24 hours',
    ],
    ...basketBreaks.map(([number, title, of, sentence]) => [number, title, () => of(known), sentence]),
  ] as [Invariant['number'], string, () => Statement[], string][])(
    '(%i) reports %s',
    async (number, _title, statements, sentence) => {
      expect(await violated(number, statements())).toContainEqual(expect.stringContaining(sentence));
    },
  );

  describe('a payment refused for lack of funds', () => {
    const paidIn = (): Statement => [
      "UPDATE payments.events SET data = $2 WHERE stream_id = $1 AND type = 'signed'",
      id('settled'),
      paidToTheShort,
    ];
    const dueLater = (): Statement => [
      `UPDATE payments.events SET data = jsonb_set(data::jsonb, '{dueAt}', '"2999-01-01T00:00:00Z"')::json
       WHERE stream_id = $1 AND type = 'signed'`,
      id('settled'),
    ];
    const published = (): Statement => [
      `INSERT INTO payments.lost_event (event_id, stream_id, version, pos, type, schema_version, data, actor, occurred_at, holds)
       VALUES (gen_random_uuid(), '${id('unfunded')}', 9, 9, 'funds-refused', 1, '{}', '', now(), true)`,
    ];
    it.each([
      ['was refused rightly if there was no money', () => [], false],
      ['was refused wrongly if an earlier payment had brought the money', () => [paidIn()], true],
      ['was refused rightly if a later payment brought it', () => [paidIn(), dueLater()], false],
      ['is not judged if the database lost the refusal', () => [paidIn(), published()], false],
    ] as [string, () => Statement[], boolean][])('%s', async (_title, statements, isWrong) => {
      const look = async (schemas: Schemas) => wronglyRefusedPayments(schemas, world.masterKeys);
      const sentence = `payment ${id('unfunded')} of 2000 was refused, although 3500 was available at the time`;
      expect(await after(statements(), look)).toEqual(isWrong ? [sentence] : []);
    });
  });

  const day = "interval '1 day'";
  it('(7) reports all work that is overdue by ten seconds, by kind', async () => {
    const begun = performance.now();
    const found = await violated(7, [
      [`UPDATE payments.payment_view SET due_at = now() - ${day} WHERE stream_id = $1`, id('unfunded')],
      [
        `UPDATE payments.payment_view SET due_at = NULL,
           state = jsonb_set(state::jsonb, '{signed,dueAt}', '"2020-01-01T00:00:00Z"')::json
         WHERE stream_id = $1`,
        id('waiting'),
      ],
      ['INSERT INTO settlement.unfinished (payment_id) VALUES ($1)', id('cancelled')],
      ["UPDATE payments.payment_view SET status = 'ACSP' WHERE stream_id = $1", id('settled')],
      [
        `UPDATE payments.payment_view SET unsigned_until = now() - ${day} WHERE stream_id = $1`,
        id('unsigned'),
      ],
      [
        `UPDATE consents.consent_view SET due_at = now() - ${day} WHERE status = 'valid' AND state->>'basketId' IS NULL`,
      ],
      [`UPDATE payments.basket_view SET due_at = now() - ${day} WHERE stage = 'received'`],
      ["UPDATE payments.basket_view SET stage = 'signed' WHERE stage = 'completed'"],
      [
        "INSERT INTO settlement.dead_letter (consumer, pos, subject, body, reason) VALUES ('settlement', 1, '', '', '')",
      ],
      [
        `INSERT INTO notifications.notification (notification_id, resource_id, pos, part, tpp_id, uri, body, next_try_at)
         VALUES (gen_random_uuid(), gen_random_uuid(), 1, 0, '', '', '', now() - ${day})`,
      ],
      ['INSERT INTO payments.unsequenced (stream_id, version) VALUES (gen_random_uuid(), 1)'],
      ['INSERT INTO consents.log SELECT max(pos) + 1, gen_random_uuid(), 1 FROM consents.log'],
    ]);
    expect(performance.now() - begun).toBeGreaterThan(10_000);
    expect(found?.map((sentence) => sentence.split(',')[0])).toEqual([
      '1 payments due for settlement or booking',
      '1 signed payments not recorded as due',
      '1 settlements under way or failed',
      '1 payments in settlement',
      '1 payments not signed in time',
      '1 signing baskets due',
      '1 signing baskets not completed',
      '1 consents that should have ended',
      '1 notifications due',
      '1 events of consents not read for notifications',
      '1 dead letters',
      '1 events of payments without a position',
      '1 events of consents not published',
    ]);
  }, 60_000);

  it('(7) accepts work completed within that time', async () => {
    const found = await after(
      [['INSERT INTO payments.unsequenced (stream_id, version) VALUES (gen_random_uuid(), 1)']],
      async (schemas) => {
        let looks = 0;
        let done: Promise<unknown> | undefined;
        const of: Schemas['of'] = (schema) => {
          // Each check starts by reading the clock, which the schema `accounts` stores. When the clock is
          // read a second time, the first check has finished and found the violation.
          if (schema === 'accounts') looks += 1;
          if (looks === 2) done ??= schemas.of('payments').query('DELETE FROM unsequenced');
          return schemas.of(schema);
        };
        const left = await overdue({ schemas: { of }, nats: world.nats }, 10);
        await done;
        return { left, looks };
      },
    );
    expect(found.left).not.toContainEqual(expect.stringContaining('without a position'));
    expect(found.looks).toBeGreaterThan(1);
  });

  it('(8) counts calls within 24 hours, but not over longer periods', async () => {
    const later = 'UPDATE consents.access_window SET calls = calls || (calls[1] + 86400000000)';
    expect(await violated(8, [[later]])).toEqual([]);
  });
});
