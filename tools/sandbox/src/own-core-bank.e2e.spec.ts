// Lane: nightly (it starts its own sandbox, as npm start does).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ExampleBank, startExampleBank } from '@xs2a/core-banking/testing/example-bank';
import { freePort } from '@xs2a/local-servers/free-port';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from './layout.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-own-core-'));
const sample = join(root, 'docs/how-to/example-core-bank/sample.json');

/** Runs a built tool from this folder on the data of this test. */
class Tool {
  output = '';
  readonly exited: Promise<number | null>;
  readonly child: ChildProcess;

  constructor(
    script: 'tools/sandbox/dist/main' | 'tools/sandbox/dist/demo/main' | 'tools/sandbox/dist/xs2a',
    ...args: readonly string[]
  ) {
    this.child = spawn(process.execPath, [join(root, `${script}.js`), ...args], {
      env: { ...process.env, NODE_OPTIONS: '', XS2A_DATA_DIR: join(folder, 'sandbox') },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (data: Buffer) => (this.output += data.toString()));
    this.exited = new Promise((resolve) => this.child.once('exit', (code) => resolve(code)));
  }

  async says(text: string): Promise<void> {
    const ended = this.exited.then(() => 'ended');
    while (!this.output.includes(text))
      if ((await Promise.race([ended, wait(50)])) === 'ended') throw new Error(this.output);
  }
}

/** The permissions that connect-your-core-bank.md requires on a bank's own server, and nothing more. */
const asDocumented = `accounts {
  BANK { users: [
    { user: xs2a, password: secret, permissions: { publish: ["svc.bank.>"], subscribe: ["_INBOX.xs2a.>"] } }
    { user: bank, password: secret, permissions: {
      publish: [], subscribe: ["svc.bank.>"], allow_responses: { max: 1, expires: "30s" } } }
  ] }
}`;
let nats: NatsServer;
let bank: ExampleBank;
let runner: Tool;
let demoPort: number;
beforeAll(async () => {
  nats = await startNats({ dataDir: join(folder, 'nats'), accounts: asDocumented });
  const as = (user: string): string => nats.url.replace('nats://', `nats://${user}:secret@`);
  bank = await startExampleBank(as('bank'));
  demoPort = await freePort();
  const [port, demo] = [await freePort(), demoPort].map(String);
  runner = new Tool(
    'tools/sandbox/dist/main',
    '--port',
    port ?? '',
    '--demo-port',
    demo ?? '',
    '--core-bank',
    as('xs2a'),
  );
  await runner.says('Ready after');
}, 120_000);
afterAll(async () => {
  runner.child.kill('SIGTERM');
  await runner.exited;
  await bank.stop();
  await nats.stop();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

describe('npm start -- --core-bank (docs/how-to/connect-your-core-bank.md)', () => {
  it('shows which core system the customers belong to, and starts the demo TPP on its port', async () => {
    expect(runner.output).toContain(`your own, at ${nats.url.replace('nats://', '')}`);
    expect(runner.output).not.toContain('PSU ivan');
    expect((await fetch(`http://127.0.0.1:${demoPort}/`)).status).toBe(200);
  });

  it('runs the whole demo for a customer of that core system, using the codes that it sends', async () => {
    const demo = new Tool('tools/sandbox/dist/demo/main', '--customer', sample);
    const typing = (async () => {
      for (;;) {
        const otp = await Promise.race([bank.nextOtp(), demo.exited]);
        if (typeof otp !== 'object' || otp === null) return;
        demo.child.stdin?.write(`${otp.code}\n`);
      }
    })();
    const code = await demo.exited;
    await typing;
    expect([code, code === 0 ? '' : demo.output]).toEqual([0, '']);
    expect(demo.output).toContain('✓ the payment is booked in the history');
    expect(demo.output).toContain('Everything was as the contract says.');
  }, 120_000);

  it('makes the demo use the customers of that core system', async () => {
    const demo = new Tool('tools/sandbox/dist/demo/main');
    expect(await demo.exited).toBe(1);
    expect(demo.output).toContain('npm run demo -- --customer FILE');
  });

  it('does not start if the core bank does not respond, and reports this without showing the password', async () => {
    const nobody = `nats://bank:a-password@127.0.0.1:${await freePort()}`;
    const runner = new Tool(
      'tools/sandbox/dist/main',
      '--port',
      String(await freePort()),
      '--core-bank',
      nobody,
    );
    expect(await runner.exited).toBe(1);
    expect(runner.output).toMatch(
      /^No NATS server accepts connections at 127\.0\.0\.1:\d+ \(--core-bank\)\./,
    );
    expect(runner.output).not.toContain('a-password');
  });

  it('is named by doctor while it does not answer, and no longer afterwards', async () => {
    bank.kill('SIGSTOP');
    let frozen: Tool;
    try {
      frozen = new Tool('tools/sandbox/dist/xs2a', 'doctor');
      expect(await frozen.exited).toBe(1);
    } finally {
      bank.kill('SIGCONT');
    }
    expect(frozen.output.match(/^✗ .*$/gm)).toEqual([expect.stringMatching(/^✗ core-bank +does not answer/)]);
    const again = new Tool('tools/sandbox/dist/xs2a', 'doctor');
    expect([await again.exited, again.output]).toEqual([0, expect.stringMatching(/✓ core-bank +answers in/)]);
  }, 60_000);

  it('passes the checks of doctor --deep, which does not check the bank’s own ledger', async () => {
    const doctor = new Tool('tools/sandbox/dist/xs2a', 'doctor', '--deep');
    expect([await doctor.exited, doctor.output]).toEqual([0, expect.not.stringContaining('✗')]);
  }, 60_000);
});
