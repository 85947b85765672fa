// Lane: long (it starts a sandbox of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '@xs2a/sandbox/layout';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { Tokens } from '@xs2a/tpp-client/tpp-client';
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runExample, shownExamples } from '@xs2a/test-support/page-examples';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

describe.each([
  { bank: 'in leva', start: async () => World.start() },
  { bank: 'in euro', start: async () => World.inEuro() },
])('docs/how-to/get-a-token.md in the portal of a bank $bank', ({ start }) => {
  let world: World;
  let psu: FreshPsu;
  const examples = async (label: 'Shell' | 'Node' | 'Python'): Promise<string[]> =>
    shownExamples(`${world.baseUrl}/guides/get-a-token`, label);
  beforeAll(async () => {
    world = await start();
    psu = await world.person('1000.00');
  });
  afterAll(async () => world.stop());

  const client = (): Record<string, string> => {
    const { clientId, clientSecret = '', redirectUri } = world.tpp().credentials;
    return {
      BASE_URL: world.baseUrl,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      REDIRECT_URI: redirectUri,
    };
  };

  it('has curl examples that lead from discovery to accounts, new tokens and revocation', async () => {
    const [
      address = '',
      discovery = '',
      application = '',
      consent = '',
      secrets = '',
      push = '',
      redeem = '',
      accounts = '',
      refresh = '',
      revoke = '',
      ...more
    ] = await examples('Shell');
    expect([address, more]).toEqual([`export BASE_URL=${world.baseUrl}`, []]);
    const variables = client();
    const answer = async <Body>(example: string): Promise<Body> =>
      JSON.parse(await runExample(example, variables)) as Body;
    expect(await answer<{ issuer: string }>(discovery)).toMatchObject({ issuer: world.baseUrl });
    variables['TOKEN'] = (await answer<Tokens>(application)).access_token;
    Object.assign(variables, { PSU_ID: psu.psuId, IBAN: psu.accounts[0]?.iban ?? '' });
    variables['CONSENT_ID'] = (await answer<{ consentId: string }>(consent)).consentId;
    const names = ['STATE', 'CODE_VERIFIER', 'CODE_CHALLENGE'];
    const made = await runExample(`${secrets}\nprintenv ${names.join(' ')}`, variables);
    for (const [index, value] of made.trim().split('\n').entries()) variables[names[index] ?? ''] = value;
    const pushed = await answer<{ request_uri: string }>(push);
    expect(pushed).toEqual({ request_uri: expect.any(String), expires_in: 60 });
    const browser = world.browser();
    const query = new URLSearchParams({
      client_id: variables['CLIENT_ID'] ?? '',
      request_uri: pushed.request_uri,
    });
    await walkAndApprove(browser, `${world.baseUrl}/oauth2/authorize?${query}`, psu);
    const back = new URL(browser.leftTo ?? '').searchParams;
    expect([back.get('state'), back.get('iss')]).toEqual([variables['STATE'], world.baseUrl]);
    variables['CODE'] = back.get('code') ?? '';
    const tokens = await answer<Tokens>(redeem);
    variables['USER_TOKEN'] = tokens.access_token;
    expect((await answer<{ accounts: unknown[] }>(accounts)).accounts).toHaveLength(1);
    variables['REFRESH_TOKEN'] = tokens.refresh_token ?? '';
    variables['REFRESH_TOKEN'] = (await answer<Tokens>(refresh)).refresh_token ?? '';
    expect((await runExample(revoke, variables)).trim()).toBe('');
    expect(await answer(refresh)).toMatchObject({ error: 'invalid_grant' });
  });

  /**
   * Runs an example program that prints the authorization address for the PSU and reads the address to which the bank
   * redirected the PSU. Returns the last line that the program prints, and the text that it prints before the
   * authorization address.
   */
  const runInteractive = async (command: string, args: readonly string[]): Promise<[string, string]> => {
    const child = spawn(command, args, {
      cwd: join(root, 'test/e2e'),
      env: { ...process.env, NODE_OPTIONS: '', ...client() },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<string> => String((await lines.next()).value);
    const first = await next();
    const url = first.startsWith('http') ? first : await next();
    const browser = world.browser();
    await walkAndApprove(browser, url, psu);
    child.stdin.end(`${browser.leftTo}\n`);
    return [await next(), first];
  };

  it('contains an openid-client example that obtains key-bound tokens for API calls, also after the clock has moved', async () => {
    await world.advance('P40D');
    const [example = '', ...more] = await examples('Node');
    expect(more).toEqual([]);
    const [answer] = await runInteractive(process.execPath, ['--input-type=module', '-e', example]);
    expect(JSON.parse(String(answer))).toEqual({ fundsAvailable: true });
  });

  const hasCryptography = spawnSync('python3', ['-c', 'import cryptography']).status === 0;
  if (!hasCryptography) console.warn('SKIPPED: the program in Python needs python3 with cryptography');
  (hasCryptography ? it : it.skip)(
    'has a program in Python that authenticates with a key and calls the API with key-bound tokens, also after the clock was moved',
    async () => {
      await world.advance('P1D');
      const [example = '', ...more] = await examples('Python');
      expect(more).toEqual([]);
      const [answer, consents] = await runInteractive('python3', ['-u', '-c', example]);
      expect(consents).toContain('consents');
      expect(JSON.parse(String(answer))).toEqual({ fundsAvailable: true });
    },
  );
});
