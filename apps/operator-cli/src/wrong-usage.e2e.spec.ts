// Lane: long (the operator command, with a bank of its own).
import { afterAll, describe, expect, it } from '@jest/globals';
import { root } from '@xs2a/runtime/release';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ended, launch, type Ran } from './testing/command-process.js';

/** A folder without a sandbox. */
const folder = mkdtempSync(join(tmpdir(), 'xs2a-nowhere-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Env = Readonly<Record<string, string>>;
const xs2a = async (args: readonly string[], env: Env = {}): Promise<Ran> => ended(launch(folder, args, env));
/** Addresses that nothing listens on. */
const away: Env = {
  SANDBOX: 'true',
  DATABASE_URL: 'postgres://owner:geheim@127.0.0.1:1/xs2a',
  NATS_URL: 'nats://operator:geheim@127.0.0.1:1',
};
const paymentId = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('wrong usage of xs2a (docs/how-to/operate.md: exit code 2)', () => {
  it.each([
    [
      [],
      /^Missing command: events, archive, payments, projections, .*, doctor\. Run: npm run xs2a -- --help$/,
    ],
    [
      ['events'],
      'Missing command: tail, show, list, republish, lost, verify. Run: npm run xs2a -- events --help',
    ],
    [['tpp'], /^Missing command: .*\. Run: npm run xs2a -- tpp --help$/],
    [['psu'], 'Missing command: show, approvals, unlock. Run: npm run xs2a -- psu --help'],
    [['psu', 'unlock', 'x'], /^Required option '--reason <text>' not specified\. Run: /],
    [['psu', 'unlock', '--reason', 'x'], /^Missing required argument 'psu-id'\. Run: /],
    [
      ['payments', 'reveal', 'x', '--reason', 'x'],
      /^Required option '--field <field>' not specified\. Run: /,
    ],
    [
      ['payments', 'reveal', 'x', '--field', 'psuId'],
      /^Required option '--reason <text>' not specified\. Run: /,
    ],
    [
      ['consents', 'reveal', 'x', '--field', 'remittance', '--reason', 'case 1'],
      /Allowed choices are psuId, accounts, corporateId\./,
    ],
    [['psu', 'unlock', 'x', '--reason', ' '], 'Give a reason: --reason "…".'],
    [['tpp', 'block', 'x'], /^Required option '--reason <text>' not specified\. Run: /],
    [['consents', 'end', 'x', '--reason', 'y'], 'x is not the id of a payment, consent or signing basket.'],
    [['consents', 'end', paymentId, '--reason', ' '], 'Give a reason: --reason "…".'],
    [['nope'], "Unknown command 'nope'. Run: npm run xs2a -- --help"],
    [['events', 'tial'], "Unknown command 'tial' (Did you mean tail?). Run: npm run xs2a -- events --help"],
    [['events', 'show'], "Missing required argument 'id'. Run: npm run xs2a -- events show --help"],
    [['events', 'lost'], 'Missing command: list, show, release. Run: npm run xs2a -- events lost --help'],
    [['events', 'lost', 'show', 'x'], 'x is not the id of a payment, consent or signing basket.'],
    [['events', 'lost', 'release', paymentId], /^Required option '--reason <text>' not specified\. Run: /],
    [['events', 'show', 'x'], 'x is not the id of a payment, consent or signing basket.'],
    [['events', 'tail', '--from', '1'], 'Each resource has its own positions: --from needs --resource.'],
    [
      ['events', 'tail', '--from', 'now'],
      /argument 'now' is invalid\. It must be a whole number\. Run: .*--help$/,
    ],
    [
      ['events', 'list', '--type', 'eaten'],
      /^Option .* 'eaten' is invalid\. Allowed choices are initiated, .* Run: /,
    ],
    [
      ['events', 'list', '--since', 'monday'],
      /'monday' is invalid\. It must be a duration such as 30min, .* Run: /,
    ],
    [
      ['events', 'list', '--limit', '0'],
      /'0' is invalid\. It must be a whole number from 1 to 10000\. Run: /,
    ],
    [['events', 'list', '--since', '2026-01-02', '--until', '2026-01-01'], '--since must be before --until.'],
    [
      ['payments'],
      'Missing command: volume, show, find, bundle, reveal. Run: npm run xs2a -- payments --help',
    ],
    [
      ['payments', 'volume', '--to', '2026-02-30'],
      /'2026-02-30' is invalid\. It must be a date such as .* Run: /,
    ],
    [
      ['payments', 'volume', '--product', 'x'],
      /'x' is invalid\. It must be one of domestic-credit-transfer-BGN, .* Run: /,
    ],
    [
      ['payments', 'volume', '--from', '2026-01-02', '--to', '2026-01-01'],
      'The first day, 2026-01-02, is after the last, 2026-01-01.',
    ],
    [['payments', 'find', '--tpp', 'x'], /^Required option '--day <date>' not specified\. Run: /],
    [['payments', 'find', '--day', '2026-11-26'], 'Specify either --tpp CLIENT_ID or --psu PSU_ID.'],
    [
      ['payments', 'find', '--day', '2026-11-26', '--tpp', 'x', '--psu', 'y'],
      'Specify either --tpp CLIENT_ID or --psu PSU_ID.',
    ],
    [
      ['payments', 'find', '--day', '2026-11-26', '--tpp', 'x', '--amount', '12,50 BGN'],
      /'12,50 BGN' is invalid\. It must be an amount and its currency, such as "12\.50 BGN"\. Run: /,
    ],
    [
      ['payments', 'find', '--day', '2026-11-26', '--tpp', 'x', '--last-four', '123'],
      /'123' is invalid\. It must be four letters or digits\. Run: /,
    ],
    [
      ['payments', 'find', '--day', '2026-11-26', '--tpp', 'x', '--limit', '2001'],
      /'2001' is invalid\. It must be a whole number from 1 to 2000\. Run: /,
    ],
    [
      ['payments', 'find', '--day', '2026-11-26', '--psu', 'y4711', '--reason', 'for Y 4711'],
      'The reason is kept permanently: name the case, not the person or an account.',
    ],
    [['payments', 'show', 'x'], 'x is not the id of a payment or signing basket.'],
    [
      ['payments', 'bundle', 'x', '--reason', 'dispute 4711', '--out', 'bundle.json'],
      'x is not the id of a payment.',
    ],
    [['events', 'verify', '--trust', 'x'], /^An anchor looks like payments:1234:/],
    [
      ['projections', 'rebuild'],
      "Missing required argument 'name'. Run: npm run xs2a -- projections rebuild --help",
    ],
    [
      ['dead-letters', 'show', '7'],
      /^7 is not a dead letter's id, such as settlement:1234\. Run: .* dead-letters list$/,
    ],
    [['dead-letters', 'replay', '--reason', 'x'], 'Name the dead letters to replay, or use --all.'],
    [['settlement', 'queue', '--state', 'x'], /Allowed choices are later, due, overdue, failing\. Run: /],
    [
      ['notifications', 'list', '--state', 'x'],
      /Allowed choices are waiting, failing, dead, delivered\. Run: /,
    ],
    [['calls', 'show', 'x'], 'x is not a request id. Run: npm run xs2a -- calls list'],
    [['calls', 'list', '--status', 'bad'], /'bad' is invalid\. It must be refused \(4xx\), failed .* Run: /],
    [['calls', 'list', '--status', '600'], /'600' is invalid\. It must be refused/],
    [
      ['calls', 'list', '--before', 'x'],
      /'x' is invalid\. Use the value at the end of the previous page\. Run: /,
    ],
    [['actions'], 'Missing command: list, verify. Run: npm run xs2a -- actions --help'],
    [
      ['actions', 'list', '--act', 'x'],
      /Allowed choices are lift-sca-lock, block-tpp, unblock-tpp, rotate-secret, replay-notifications, .*\. Run: /,
    ],
    [
      ['actions', 'list', '--before', '0'],
      /'0' is invalid\. Use the value at the end of the previous page\. Run: /,
    ],
    [
      ['notifications', 'replay', '--reason', 'x'],
      'Name the dead letters to send again, or use --all or --tpp.',
    ],
    [
      ['notifications', 'replay', '7', '--reason', 'x'],
      '7 is not the id of a notification. Run: npm run xs2a -- notifications dead-letters',
    ],
    [
      ['notifications', 'listen', '--answer', '99'],
      /'99' is invalid\. It must be an HTTP status from 200 to 599\. Run: /,
    ],
    [['consumers', 'x'], /^Too many arguments for 'consumers'\. .* Run: npm run xs2a -- consumers --help$/],
    [['doctor', '--depe'], /^Unknown option '--depe' \(Did you mean --deep\?\)\. Run: /],
  ] as [string[], string | RegExp][])('such as %j is rejected with one sentence', async (args, sentence) => {
    const { code, stdout, stderr } = await xs2a(args, away);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.trimEnd()).toEqual(
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    );
  });

  it.each([
    [['events', 'tial'], "Unknown command 'tial' (Did you mean tail?). Run: npm run xs2a -- events --help"],
    [['events', 'show', 'x'], 'x is not the id of a payment, consent or signing basket.'],
    [['payments', 'find', '--day', '2026-11-26'], 'Specify either --tpp CLIENT_ID or --psu PSU_ID.'],
  ])('is rejected with the sentence as JSON if --json is given: %j', async (args, error) => {
    const { code, stdout, stderr } = await xs2a([...args, '--json'], away);
    expect([code, stdout, JSON.parse(stderr)]).toEqual([2, '', { error }]);
  });

  it('does not include --help and --version, which need no servers', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(await xs2a(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    const json = await xs2a(['--version', '--json']);
    expect([json.code, JSON.parse(json.stdout), json.stderr]).toEqual([0, { version }, '']);
    for (const args of [['--help'], ['events', '--help'], ['help', 'events']]) {
      const { code, stdout, stderr } = await xs2a(args);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^Usage: xs2a /);
    }
  });

  it.each([
    [{ SANDBOX: 'true', DATABASE_URL: 'postgres://x' }, /^Only one of DATABASE_URL and NATS_URL is set; /],
    [{ ...away, DATABASE_URL: 'x' }, /DATABASE_URL is not a URL/],
    [
      { ...away, SANDBOX: 'false' },
      /DATABASE_URL is not a postgres:\/\/ URL .*sslmode=verify-full.*; NATS_URL is not a tls:\/\/ URL .* must be outside/,
    ],
    [{ ...away, PROFILE: 'x' }, /^There is no profile x\.json in deploy\/profiles\.$/],
  ] as [Env, RegExp][])('includes invalid settings: %j', async (env, sentence) => {
    const { code, stdout, stderr } = await xs2a(['consumers'], env);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.trimEnd()).toMatch(sentence);
  });
});

const commands = [
  ['events', 'tail'],
  ['events', 'show', paymentId],
  ['events', 'list'],
  ['payments', 'volume'],
  ['payments', 'show', paymentId],
  ['payments', 'find', '--day', '2026-11-26', '--tpp', 'x'],
  ['events', 'verify'],
  ['events', 'republish', '--yes'],
  ['projections', 'list'],
  ['projections', 'rebuild', 'payment_volume_daily'],
  ['projections', 'rebuild', 'payment_view'],
  ['dead-letters', 'list'],
  ['dead-letters', 'show', 'settlement:1'],
  ['dead-letters', 'replay', '--all', '--reason', 'x'],
  ['dead-letters', 'discard', 'settlement:1', '--yes', '--reason', 'x'],
  ['settlement', 'queue'],
  ['settlement', 'late'],
  ['calls', 'list'],
  ['calls', 'show', paymentId],
  ['actions', 'list'],
  ['actions', 'verify'],
  ['notifications', 'list'],
  ['notifications', 'dead-letters'],
  ['notifications', 'replay', '--all', '--reason', 'x'],
  ['consumers'],
  ['tpp', 'list'],
  ['psu', 'show', 'x'],
  ['psu', 'unlock', 'x', '--reason', 'case 4711'],
  ['payments', 'reveal', 'x', '--field', 'psuId', '--reason', 'case 4711'],
  ['consents', 'list'],
  ['consents', 'end', paymentId, '--reason', 'x'],
  ['tpp', 'block', 'x', '--reason', 'x'],
  ['settlement', 'try-now', paymentId, '--reason', 'x'],
  ['settlement', 'hand-over', paymentId, '--reason', 'x'],
  ['report', 'statistics'],
];

describe('xs2a with nothing to inspect (exit code 1) (docs/how-to/operate.md)', () => {
  // All commands look up the addresses of PostgreSQL and NATS in the same function before they do anything else.
  it.each([['events', 'tail'], ['consumers'], ['report', 'statistics'], ['doctor']])(
    '%s %s: no sandbox is running',
    async (...args) => {
      expect(await xs2a(args)).toEqual({
        code: 1,
        stdout: '',
        stderr: 'No sandbox is running, and DATABASE_URL and NATS_URL are not set. Run: npm start\n',
      });
    },
  );

  it.each(commands)('%s %s %s: the servers are down', async (...args) => {
    const { code, stdout, stderr } = await xs2a(args, away);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^(?:PostgreSQL|NATS) cannot be reached: .*refused.*\. Run: npm run xs2a -- doctor\n$/i,
    );
    expect(stderr).not.toContain('geheim');
  });

  it('doctor names the servers that are down, shows how to find the cause, and lists what needs them', async () => {
    const { code, stdout, stderr } = await xs2a(['doctor', '--deep'], away);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(
      /^✗ postgres +no answer: .*\n {2}Run: pg_isready .*\n {2}See: .*\n– replication +needs postgres\n✗ nats +no answer: .*\n {2}Run: nats /,
    );
    // The settings are enough to show which connections are encrypted.
    expect(stdout.match(/^✓.*/gm)).toEqual([expect.stringMatching(/^✓ certificates +none/)]);
    expect(stdout.match(/^– invariant \d +needs postgres and nats$/gm)).toHaveLength(8);
    expect(stdout).not.toContain('geheim');
  });
});
