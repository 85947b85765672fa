import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '@xs2a/sandbox/layout';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { Tokens } from '@xs2a/tpp-client/tpp-client';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
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
  const examples = async (label: 'Shell' | 'Node'): Promise<string[]> =>
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
    const verifier = 'v'.repeat(43);
    Object.assign(variables, {
      STATE: 'state-1',
      CODE_VERIFIER: verifier,
      CODE_CHALLENGE: createHash('sha256').update(verifier).digest('base64url'),
    });
    const pushed = await answer<{ request_uri: string }>(push);
    expect(pushed).toEqual({ request_uri: expect.any(String), expires_in: 60 });
    const browser = world.browser();
    const query = new URLSearchParams({
      client_id: variables['CLIENT_ID'] ?? '',
      request_uri: pushed.request_uri,
    });
    await walkAndApprove(browser, `${world.baseUrl}/oauth2/authorize?${query}`, psu);
    const back = new URL(browser.leftTo ?? '').searchParams;
    expect([back.get('state'), back.get('iss')]).toEqual(['state-1', world.baseUrl]);
    variables['CODE'] = back.get('code') ?? '';
    const tokens = await answer<Tokens>(redeem);
    variables['USER_TOKEN'] = tokens.access_token;
    expect((await answer<{ accounts: unknown[] }>(accounts)).accounts).toHaveLength(1);
    variables['REFRESH_TOKEN'] = tokens.refresh_token ?? '';
    variables['REFRESH_TOKEN'] = (await answer<Tokens>(refresh)).refresh_token ?? '';
    expect((await runExample(revoke, variables)).trim()).toBe('');
    expect(await answer(refresh)).toMatchObject({ error: 'invalid_grant' });
  });

  it('has an openid-client example that gets key-bound tokens and calls the API with them, also after the clock was moved', async () => {
    await world.advance('P40D');
    const [example = '', ...more] = await examples('Node');
    expect(more).toEqual([]);
    const child = spawn(process.execPath, ['--input-type=module', '-e', example], {
      cwd: join(root, 'test/e2e'),
      env: { ...process.env, NODE_OPTIONS: '', ...client() },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { value: url } = await lines.next();
    const browser = world.browser();
    await walkAndApprove(browser, String(url), psu);
    child.stdin.end(`${browser.leftTo}\n`);
    const { value: answer } = await lines.next();
    expect(JSON.parse(String(answer))).toEqual({ fundsAvailable: true });
  });
});
