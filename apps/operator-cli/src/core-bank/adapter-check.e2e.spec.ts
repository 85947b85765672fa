// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bankChecks } from '@xs2a/core-banking/conformance/checks';
import { exampleSample, startExampleBank } from '@xs2a/core-banking/testing/example-bank';
import { toBankDate } from '@xs2a/domain/time/bank-calendar';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { root } from '@xs2a/runtime/release';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckedPromise } from './adapter-check.js';
import { ended, launch, type Ran, parseValues } from '../testing/command-process.js';

const sampleFile = join(root, 'docs/how-to/example-core-bank/sample.json');
const folder = mkdtempSync(join(tmpdir(), 'xs2a-adapter-'));
let server: NatsServer;
beforeAll(async () => {
  server = await startNats({ dataDir: join(folder, 'nats') });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const check = (sample: string, ...more: readonly string[]): Promise<Ran> =>
  ended(launch(folder, ['adapter', 'check', '--nats-url', server.url, '--sample', sample, ...more]));

describe('the xs2a adapter check command (docs/how-to/connect-your-core-bank.md)', () => {
  it('reports that the example bank passes every check, and exits with 0', async () => {
    const bank = await startExampleBank(server.url);
    try {
      const { code, stdout } = await check(sampleFile);
      expect(stdout.match(/^✓ /gm)).toHaveLength(bankChecks.length);
      expect(stdout).toContain(`${bankChecks.length} of ${bankChecks.length} checks passed`);
      expect(code).toBe(0);
    } finally {
      await bank.stop();
    }
  });

  it('passes every check after the bank converted its accounts, if the sample has levEnd and the currency EUR', async () => {
    const bank = await startExampleBank(server.url);
    try {
      await bank.convert();
      const file = join(folder, 'sample-in-euro.json');
      const levEnd = toBankDate(new Date().toISOString(), 'Europe/Sofia');
      writeFileSync(
        file,
        JSON.stringify({ ...exampleSample, currency: 'EUR', levEnd, instant: { limit: 46016 } }),
      );
      const { code, stdout } = await check(file);
      expect(stdout).not.toContain('✗');
      expect(stdout).toContain(`${bankChecks.length} of ${bankChecks.length} checks passed`);
      expect(code).toBe(0);
      writeFileSync(file, JSON.stringify({ ...exampleSample, currency: 'EUR' }));
      expect((await check(file)).stdout).toContain('answer-malformed');
    } finally {
      await bank.stop();
    }
  });

  it('names the wrong member if levEnd is no date, and exits with 2', async () => {
    const file = join(folder, 'sample.json');
    writeFileSync(file, JSON.stringify({ ...exampleSample, levEnd: '1 January' }));
    const { code, stderr } = await check(file);
    expect(stderr).toContain('levEnd must be an ISO date');
    expect(code).toBe(2);
  });

  it('reports the observed behaviour if a bank does not answer, and exits with 1', async () => {
    const ran = await check(sampleFile, '--json');
    expect(ran.code).toBe(1);
    const results = parseValues<CheckedPromise>(ran);
    expect(results.map(({ kept }) => kept)).toEqual(bankChecks.map(() => false));
    expect(results[0]?.seen).toMatch(/^svc\.bank\..*: unavailable: /);
  });

  it('names the values that are missing from a sample, and exits with 2', async () => {
    const file = join(folder, 'sample.json');
    writeFileSync(file, JSON.stringify({ psuId: 'anna' }));
    const { code, stderr } = await check(file);
    expect(stderr).toContain('the sample lacks password, iban, currency, foreignIban, elsewhere');
    expect(code).toBe(2);
  });
});
