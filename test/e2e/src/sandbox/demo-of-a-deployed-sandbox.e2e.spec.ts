// Lane: long (it starts a sandbox of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@xs2a/local-servers/free-port';
import { issueTestQwac } from '@xs2a/qwac/sandbox-authority';
import { makeLayout, root, secretIn, writePrivately } from '@xs2a/sandbox/layout';
import { testAuthority } from '@xs2a/sandbox/tpp/test-authority';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { TlsProxy } from '@xs2a/test-support/tls-proxy';
import { World } from '@xs2a/test-support/world';

/** Plays the demo in a process that cannot find a sandbox on this machine. Returns its exit code and output. */
const play = async (...options: readonly string[]): Promise<{ code: unknown; output: string }> => {
  const demo = spawn(process.execPath, [join(root, 'tools/sandbox/dist/demo/main.js'), ...options], {
    env: { ...process.env, NODE_OPTIONS: '', XS2A_DATA_DIR: '/nowhere' },
  });
  let output = '';
  for (const stream of [demo.stdout, demo.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()));
  const [code] = await once(demo, 'close');
  return { code, output };
};

describe('npm run demo -- --base-url (docs/how-to/deploy.md)', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.ofLane();
  }, 120_000);
  afterAll(async () => world?.stop(), 30_000);

  it('plays the demo over the public interface only, even if another sandbox runs on this machine', async () => {
    const { code, output } = await play('--base-url', `${world.baseUrl}/`);
    expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    expect(output).toContain('✓ the payment is booked in the history');
    expect(output).toContain('Everything was as the contract says.');
    expect(output).not.toContain('JetStream');
    expect(output).not.toContain('starting one');
  }, 120_000);
});

describe('npm run demo -- --profile bg-euro', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.inEuro();
  }, 120_000);
  afterAll(async () => world?.stop(), 30_000);

  it('plays a SEPA payment, a tax payment and instant payments at a bank in euro', async () => {
    const { code, output } = await play('--base-url', world.baseUrl, '--profile', 'bg-euro');
    expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    expect(output).toContain('A new customer opens an account with 1,000.00 EUR');
    expect(output).toContain('✓ the SEPA payment is booked in the history');
    expect(output).toContain('✓ the tax payment is booked in the history');
    const results = [...output.matchAll(/✓ the payee’s name was verified: (\w+)/g)].map(
      ([, result]) => result,
    );
    expect(results).toEqual(['MATCH', 'CLOSE_MATCH', 'NO_MATCH', 'NOT_POSSIBLE', 'MATCH']);
    expect(output).toMatch(
      /✓ the payment’s status is RJCT\n[^]*✓ the reason is AB08\n.*The payee’s bank is not available/,
    );
    expect(output).toContain('✓ 857.50 EUR are covered');
  }, 120_000);

  it('refuses a profile that does not exist', async () => {
    const { code, output } = await play('--profile', 'euro');
    expect(code).toBe(1);
    expect(output).toContain('--profile knows sandbox, production, bg-euro, bg-euro-production.');
  });
});

describe('npm run demo -- --base-url https://… --cert --key --ca, through a proxy that terminates mutual TLS', () => {
  let world: World;
  let proxy: TlsProxy;
  let baseUrl: string;
  const file = (name: string): string => join(world.dataDir, name);

  beforeAll(async () => {
    const port = await freePort();
    baseUrl = `https://localhost:${port}`;
    const certificates = { CLIENT_CERTIFICATES: 'required' };
    world = await World.start({
      gateway: { BASE_URL: baseUrl, ...certificates },
      auth: { BASE_URL: baseUrl },
    });
    const layout = makeLayout(world.dataDir);
    const authority = testAuthority(layout);
    const issue = (name: string, organizationIdentifier: string) => {
      const roles = ['PSP_AI', 'PSP_PI', 'PSP_IC'] as const;
      return issueTestQwac({ name, organizationIdentifier, roles, days: 30 }, authority, Date.now());
    };
    const parts = { gateway: world.baseUrl, secret: secretIn(layout.secret('proxy-secret')) };
    const identity = issue('localhost', 'PSDBG-BNB-PROXY');
    proxy = await TlsProxy.start({ ...parts, identity, authority: authority.certificate }, port);
    const tpp = issue('Demo TPP', 'PSDBG-BNB-DEMO1');
    writePrivately(file('tpp.crt'), tpp.certificate);
    writePrivately(file('tpp.key'), tpp.privateKey);
    writePrivately(file('ca.crt'), authority.certificate);
  }, 120_000);
  afterAll(async () => {
    await proxy?.stop();
    await world?.stop();
  }, 30_000);

  it('registers with its certificate and plays the demo with tokens bound to it; the customer’s browser presents no certificate', async () => {
    const identity = ['--cert', file('tpp.crt'), '--key', file('tpp.key'), '--ca', file('ca.crt')];
    const { code, output } = await play('--base-url', baseUrl, ...identity);
    expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    expect(output).toContain(`talks to ${baseUrl}, and presents its certificate on every call.`);
    expect(output).toContain('Everything was as the contract says.');
  }, 120_000);

  it('is refused without a certificate if the bank requests one', async () => {
    const { code, output } = await play('--base-url', baseUrl, '--ca', file('ca.crt'));
    expect(code).toBe(1);
    expect(output).toMatch(/✗ .*(CERTIFICATE_MISSING|401)/);
  }, 120_000);

  it('reports invalid options', async () => {
    const files = ['--cert', file('tpp.crt'), '--key', file('tpp.key')];
    const plain = await play('--base-url', world.baseUrl, ...files);
    expect([plain.code, plain.output]).toEqual([1, expect.stringContaining('need an https --base-url')]);
    const half = await play('--base-url', baseUrl, '--cert', file('tpp.crt'));
    expect([half.code, half.output]).toEqual([1, expect.stringContaining('must be given together')]);
    const unreadable = await play('--base-url', baseUrl, '--ca', file('no.crt'));
    expect([unreadable.code, unreadable.output]).toEqual([1, expect.stringContaining('cannot be read')]);
  });
});
