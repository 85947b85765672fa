// Lane: long, first (the operator command, with a bank of its own).
import { serviceNames } from '@xs2a/contracts/services';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { eventStreams } from '@xs2a/contracts/event-streams';
import { type PublishedEvent, subjectOfEvent } from '@xs2a/events/published-event';
import { parseStreamCredentials } from '@xs2a/nats/nats-url';
import { type Sandbox, startSandbox } from '@xs2a/sandbox/sandbox';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import type { ShownLetter } from './dead-letters/dead-letter-office.js';
import type { ConsumerStatus } from './events/consumer-status.js';
import type { Examined } from './doctor/doctor.js';
import type { Timeline } from './events/timeline.js';
import type { ProjectionStatus } from './events/read-models.js';
import type { Queue } from './payments/settlement-queue.js';
import { ended, launch, makeOperator } from './testing/command-process.js';
import { elsewhere } from '@xs2a/test-support/requests';
import { Customer } from './testing/customer.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-cli-'));
const { xs2a, json, oneJson, said } = makeOperator(folder);
let sandbox: Sandbox;
let owner: Pool;
let customer: Customer;
/** The id of a payment that is settled before the first test. */
let paymentId: string;

beforeAll(async () => {
  sandbox = await startSandbox({ dataDir: folder, port: 0, sourceMaps: false });
  owner = new Pool({ connectionString: sandbox.databaseUrl('xs2a_owner'), max: 2 });
  owner.on('error', () => undefined);
  customer = await Customer.of(sandbox.baseUrl);
  paymentId = await customer.pay();
  await customer.advance('PT1M');
}, 120_000);
afterAll(async () => {
  await owner?.end();
  await sandbox?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

describe('the xs2a events command (docs/how-to/operate.md)', () => {
  it('shows the events of a payment with the time between them, the status after each event, and the next step', async () => {
    const { stdout, code } = await xs2a('events', 'show', paymentId);
    expect(code).toBe(0);
    expect(stdout).toMatch(/initiated +RCVD +sandbox-tpp +12\.50 BGN from \(encrypted\) to \(encrypted\)/);
    expect(stdout).toMatch(/\+1 min.* settlement-started +ACSP/);
    expect(stdout).toContain('next: book at ');
    const timeline = await oneJson<Timeline>('events', 'show', paymentId);
    expect(timeline.events.map(({ type, status }) => [type, status])).toEqual([
      ['initiated', 'RCVD'],
      ['accepted', 'ACCP'],
      ['signed', 'ACCP'],
      ['settlement-started', 'ACSP'],
      ['settled', 'ACSC'],
    ]);
    expect(timeline.events[0]?.afterMs).toBeNull();
    expect(timeline.events[3]?.afterMs).toBeGreaterThanOrEqual(59_000);
    expect(timeline.due).toMatchObject([{ kind: 'book', attempts: 0 }]);
  });

  it('shows published events, selected by resource, type and position', async () => {
    const { stdout, code } = await xs2a('events', 'tail', '--no-follow', '--type', 'signed');
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(stdout).toContain(`payments.signed`);
    expect(stdout).toContain(paymentId);
    const from = async (pos: string): Promise<PublishedEvent[]> =>
      json('events', 'tail', '--resource', 'payments', '--from', pos, '--no-follow');
    expect((await from('1')).map(({ pos }) => pos)).toEqual([1, 2, 3, 4, 5]);
    const some = await from('4');
    expect(some.map(({ type }) => type)).toEqual([
      'xs2a.payments.settlement-started',
      'xs2a.payments.settled',
    ]);
  });

  it('continues with new events until Ctrl-C', async () => {
    const child = launch(folder, ['events', 'tail', '--type', 'cancelled', '--json']);
    const run = ended(child);
    const created = await customer.initiate();
    const seen = new Promise<string>((resolve) => {
      child.stdout?.once('data', (data: Buffer) => resolve(data.toString()));
    });
    expect(await customer.cancel(created.paymentId)).toBe(204);
    expect(await seen).toContain(created.paymentId);
    // The launcher forwards Ctrl-C, but the terminal also sends it directly to the command.
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect((await run).code).toBe(0);
  });

  it.each([
    [
      ['events', 'show', '01890a5d-ac96-774b-bcce-b302099a8057'],
      1,
      'There is no payment, consent or signing basket',
    ],
    [['events', 'tail', '--type', 'eaten'], 2, 'There is no event type eaten. Known types: initiated, '],
  ])('refuses %j and gives the reason in one sentence', async (args, code, text) => {
    const ran = await xs2a(...args);
    expect(ran).toMatchObject({ code, stdout: '' });
    expect(ran.stderr).toContain(text);
  });

  it('verifies all events, and identifies an event that was changed', async () => {
    const { stdout, code } = await xs2a('events', 'verify');
    expect(stdout).toContain('as they were appended');
    expect(code).toBe(0);
    const anchor = /payments:\d+:[0-9a-f]{64}/.exec(stdout)?.[0] ?? '';
    expect((await xs2a('events', 'verify', '--trust', anchor)).code).toBe(0);
    const change = async (member: string, value: string): Promise<void> => {
      await owner.query(
        'UPDATE payments.events SET data = data::jsonb || jsonb_build_object($2::text, $3::text) WHERE stream_id = $1 AND version = 2',
        [paymentId, member, value],
      );
    };
    const { rows } = await owner.query<{ personal: string }>(
      "SELECT data->>'personal' AS personal FROM payments.events WHERE stream_id = $1 AND version = 2",
      [paymentId],
    );
    await change('personal', 'of another');
    const found = await xs2a('events', 'verify', '--resource', 'payments');
    await change('personal', rows[0]?.personal ?? '');
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(new RegExp(`changed +stream ${paymentId} +version 2`));
    expect(
      (await oneJson<{ findings: unknown[] }>('events', 'verify', '--resource', 'payments')).findings,
    ).toEqual([]);
  });
});

describe('the xs2a projections command (docs/runbooks/dead-letter.md)', () => {
  it('lists each projection with what it is used for, and rebuilds one, showing its progress', async () => {
    const [before] = await oneJson<ProjectionStatus[]>('projections', 'list');
    expect(before).toMatchObject({ name: 'payment_volume_daily', behind: 0, rebuiltAt: null });
    const { stdout, code, stderr } = await xs2a('projections', 'rebuild', 'payment_volume_daily');
    expect(stdout).toMatch(/payment_volume_daily is rebuilt: \d+ events in/);
    expect(stderr).toMatch(/\[#{20}\] 100 % {2}\d+ of \d+ events/);
    expect(code).toBe(0);
    expect((await xs2a('projections', 'list')).stdout).toMatch(
      /payment_volume_daily +\d+ +0 +\d{4}-[-:T.\d]+Z +\d+ +number and value/,
    );
  });

  it('lists the existing projections if an unknown one is requested', async () => {
    const { code, stderr } = await xs2a('projections', 'rebuild', 'x');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'There is no projection x. Known projections: payment_volume_daily, payment_view, basket_view, consent_view.',
    );
  });

  it('repairs a status view that differs from its events, as reported by doctor --deep', async () => {
    await owner.query("UPDATE payments.payment_view SET status = 'RCVD' WHERE stream_id = $1", [paymentId]);
    const broken = await xs2a('doctor', '--deep');
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(
      new RegExp(
        `✗ invariant 5 .*${paymentId}: payment_view differs from its events in status\n  Run: .* projections rebuild NAME`,
      ),
    );
    const rebuilt = await xs2a('projections', 'rebuild', 'payment_view');
    expect(rebuilt).toMatchObject({
      code: 0,
      stdout: 'payment_view matches its events: 1 row rewritten\n',
    });
    expect(await customer.readStatus(paymentId)).toBe('ACSC');
  });
});

describe('the xs2a commands for the settlement queue and for consumers (docs/runbooks/payments-do-not-settle.md)', () => {
  it('list payments that are due later, with amounts and without account numbers', async () => {
    const id = await customer.pay();
    const { stdout } = await xs2a('settlement', 'queue', '--state', 'later');
    expect(stdout).toMatch(/^\d+ later, 0 due, 0 overdue, 0 failing\n/);
    expect(stdout).toMatch(new RegExp(`${id} +settle +later +\\S+ +5\\d.* s +12\\.50 BGN +0`));
    const { entries } = await oneJson<Queue>('settlement', 'queue', '--limit', '100');
    expect(entries.find((one) => one.paymentId === id)).toMatchObject({
      state: 'later',
      amount: '12.50 BGN',
    });
    await customer.advance('PT1M');
  });

  it('show why a payment fails, and how long a payment has been overdue', async () => {
    const ids = ['01890a5d-ac96-774b-bcce-b302099a8051', '01890a5d-ac96-774b-bcce-b302099a8052'];
    await owner.query(
      `INSERT INTO settlement.unfinished (payment_id, begun_at, attempts, retry_at, last_failure) VALUES
        ($1, now(), 3, now() + interval '1 hour', 'OutOfStep'),
        ($2, now() - interval '1 day', 0, now() + interval '1 hour', NULL)`,
      ids,
    );
    const { counts, entries } = await oneJson<Queue>('settlement', 'queue');
    const doctor = await xs2a('doctor');
    await owner.query('DELETE FROM settlement.unfinished WHERE payment_id = ANY($1::uuid[])', [ids]);
    expect(counts).toMatchObject({ failing: 1, overdue: 1 });
    expect(entries.slice(0, 2)).toMatchObject([
      { paymentId: ids[0], kind: 'release', state: 'failing', attempts: 3, reason: 'OutOfStep' },
      { paymentId: ids[1], state: 'overdue' },
    ]);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/✗ settlement .*1 failing\n {2}Run: npm run xs2a -- settlement queue/);
  });

  it('show the progress of each consumer', async () => {
    expect((await xs2a('consumers')).stdout).toMatch(/settlement +PAYMENTS +yes +0 +0 +\d+ +0/);
    const signed = await json<PublishedEvent>(
      'events',
      'tail',
      '--no-follow',
      '--last',
      '99',
      '--type',
      'signed',
    );
    const pos = signed.at(-1)?.pos;
    const well = {
      consumer: 'settlement',
      stream: 'PAYMENTS',
      reading: true,
      redelivered: 0,
      deadLetters: 0,
    };
    expect(await oneJson('consumers')).toEqual([{ ...well, lag: 0, ackFloor: pos }]);
  });
});

const because = ['--reason', 'case 4711'] as const;

describe('the xs2a dead-letters command (docs/runbooks/dead-letter.md)', () => {
  const putAside = async (pos: number, body: string): Promise<string> => {
    await owner.query(
      `INSERT INTO settlement.dead_letter (consumer, pos, subject, body, reason)
       VALUES ('settlement', $1, 'xs2a.payments.signed.' || $2, $3, 'TypeError')`,
      [pos, paymentId, body],
    );
    return `settlement:${pos}`;
  };
  /** Returns a published event in the form in which the consumer would have stored it as a dead letter. */
  const signedEvent = async (): Promise<{ readonly seq: number; readonly body: string }> => {
    const nats = await connect(parseStreamCredentials(sandbox.natsUrl()));
    const message = await jetstream(nats)
      .jetstreamManager()
      .then(async ({ streams }) =>
        streams.getMessage(eventStreams.payments, {
          last_by_subj: subjectOfEvent('payments', 'signed', paymentId),
        }),
      );
    await nats.close();
    if (message === null) throw new Error('it is not in the stream');
    return { seq: message.seq, body: message.string() };
  };

  it('replays the event of a payment that is already settled, without moving money again', async () => {
    const { seq, body } = await signedEvent();
    const id = await putAside(seq, body);
    expect((await xs2a('dead-letters', 'list')).stdout).toMatch(new RegExp(`${id} .*signed.* TypeError`));
    const shown = await xs2a('dead-letters', 'show', id);
    expect(shown.stdout).toContain('12.50 BGN from (encrypted)');
    expect(shown.stdout).not.toContain(customer.iban);
    expect(shown.stdout).not.toContain('Petar');
    const replayed = await xs2a('dead-letters', 'replay', id, ...because);
    expect(replayed).toMatchObject({ code: 0, stdout: `✓ ${id}: handled, and removed\n` });
    await customer.advance('PT1M');
    expect(await customer.readStatus(paymentId)).toBe('ACSC');
    const { rows } = await owner.query<{ kind: string }>(
      `SELECT kind FROM accounts.transfer WHERE payment_id = $1 ORDER BY kind`,
      [paymentId],
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['hold', 'post']);
    expect(await oneJson('dead-letters', 'list')).toEqual([]);
  });

  it('keeps a dead letter that fails again, with the reason, until it is explicitly discarded', async () => {
    const id = await putAside(1, 'not JSON');
    expect(await json('dead-letters', 'replay', '--all', ...because)).toEqual([
      { id, outcome: 'failed', reason: 'SyntaxError' },
    ]);
    expect((await oneJson<ShownLetter>('dead-letters', 'show', id)).event).toBeNull();
    const doubtful = await xs2a('dead-letters', 'discard', id, ...because);
    expect(doubtful.code).toBe(1);
    expect(doubtful.stderr).toContain(`npm run xs2a -- dead-letters discard ${id} --yes --reason`);
    expect((await xs2a('dead-letters', 'discard', id, '--yes', ...because)).stdout).toBe(
      `✓ ${id} is discarded\n`,
    );
    expect((await xs2a('dead-letters', 'list')).stdout).toBe('No dead letters.\n');
    expect((await xs2a('dead-letters', 'replay', '--all', ...because)).stdout).toBe('No dead letters.\n');
    expect(await json('dead-letters', 'replay', id, 'settlement:2', ...because)).toEqual([
      { id, outcome: 'gone' },
      { id: 'settlement:2', outcome: 'gone' },
    ]);
    expect((await xs2a('dead-letters', 'show', id)).stderr).toContain(`There is no dead letter ${id}.`);
  });
});

describe('the xs2a doctor command (docs/how-to/operate.md)', () => {
  it('passes all checks, including the invariants with --deep', async () => {
    const { stdout, code } = await xs2a('doctor', '--deep');
    expect(stdout.match(/^[✗–].*$/gm)).toBeNull();
    expect(code).toBe(0);
    expect(stdout.match(/^✓ invariant \d .*\[\d.*\]/gm)?.map((line) => line[12])).toEqual([...'12345678']);
    const checks = await json<Examined>('doctor');
    expect(checks.map(({ name, state }) => [name, state])).toEqual(
      [
        'postgres',
        'replication',
        'nats',
        'nats access',
        'certificates',
        'public address',
        'migrations',
        'months',
        'archive',
        'master keys',
        'holidays',
        'clock',
        'jetstream storage',
        'disk',
        ...serviceNames,
        'restarts',
        'core-bank',
        'stream payments',
        'relay payments',
        'stream consents',
        'relay consents',
        'lost events',
        'projections',
        'consumers',
        'dead letters',
        'settlement',
        'status push',
        'leader payments',
        'leader consents',
        'leader notifications',
        'leader settlement',
      ].map((name) => [name, 'ok']),
    );
  });

  it('names the server that is down, and skips the checks that need it', async () => {
    await sandbox.nats.stop();
    const checks = await json<Examined>('doctor');
    await sandbox.nats.start();
    const of = (name: string) => checks.find((one) => one.name === name);
    expect(of('nats')).toMatchObject({ state: 'failed', repair: expect.stringContaining('npm start') });
    expect(of('services')).toMatchObject({ state: 'skipped', text: 'needs nats' });
    expect(of('consumers')).toMatchObject({ state: 'skipped', text: 'needs nats' });
    expect(of('migrations')).toMatchObject({ state: 'ok' });
  });

  it('names the services that do not run, and skips the checks that need them', async () => {
    // The test before this one stopped NATS, and a process that is not connected yet cannot say that it ends.
    for (let ran = await xs2a('doctor'); ran.code !== 0;) ran = await xs2a('doctor');
    for (const name of ['settlement-worker', 'notifications'] as const) await sandbox.services[name].stop();
    await customer.pay();
    const without = await xs2a('doctor');
    const [status] = await oneJson<ConsumerStatus[]>('consumers');
    for (const name of ['settlement-worker', 'notifications'] as const) await sandbox.services[name].start();
    expect(status).toMatchObject({ reading: false, lag: 1 });
    expect(without.stdout.match(/^[✗–] .*$/gm)).toEqual([
      expect.stringMatching(/^✗ settlement-worker +no instance is running$/),
      expect.stringMatching(/^✗ notifications +no instance is running$/),
      expect.stringMatching(/^– consumers +needs settlement-worker$/),
      expect.stringMatching(/^– status push +needs notifications$/),
      expect.stringMatching(/^– leader notifications +needs notifications$/),
      expect.stringMatching(/^– leader settlement +needs settlement-worker$/),
    ]);
    expect(without.code).toBe(1);
  });

  it('names a pending migration, and the command that runs it', async () => {
    await owner.query(`UPDATE consents.migration SET name = 'x' || name`);
    const { stdout, code } = await ended(
      launch(folder, ['doctor'], {
        SANDBOX: 'true',
        DATABASE_URL: sandbox.databaseUrl('xs2a_owner'),
        NATS_URL: sandbox.natsUrl(),
      }),
    );
    await owner.query(`UPDATE consents.migration SET name = substr(name, 2)`);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /✗ migrations .*ConsentsBaseline1795700000000.*\n {2}Run: npm run xs2a -- migrate$/m,
    );
  });
});

describe('the xs2a command (docs/how-to/operate.md)', () => {
  it('shows no account number, name or secret in the output of any of the tests above', async () => {
    await xs2a('events', 'tail', '--no-follow', '--last', '100', '--json');
    for (const { stdout, stderr } of said)
      for (const secret of [customer.iban, elsewhere, 'Petar', 'Invoice 1', 'postgres://', 'nats://'])
        expect(stdout + stderr).not.toContain(secret);
  });
});
