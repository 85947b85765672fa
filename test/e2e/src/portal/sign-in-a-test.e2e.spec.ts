// Lane: long (a reader of the portal, from the first page to the last).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runExample, shownExamples } from '@xs2a/test-support/page-examples';
import { consentBody, dayFrom, sandboxNow } from '@xs2a/test-support/requests';
import { bodyOf, type FreshPsu, registerTpp } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Payment {
  readonly paymentId: string;
  readonly _links: {
    readonly scaRedirect: { readonly href: string };
    readonly self: { readonly href: string };
  };
}
const redirectUri = 'http://127.0.0.1:8099/callback';
const isInstalled = spawnSync('python3', ['--version']).status === 0;
if (!isInstalled) console.warn('SKIPPED: the program in Python, because python3 is not installed here');

(isInstalled ? describe : describe.skip).each([
  { bank: 'in leva', start: async () => World.start() },
  { bank: 'in euro', start: async () => World.inEuro() },
])('docs/how-to/sign-in-a-test.md in the portal of a bank $bank', ({ start }) => {
  let world: World;
  let credentials: Awaited<ReturnType<typeof registerTpp>>;
  let tpp: TppClient;
  let folder: string;
  let examples: readonly string[];
  const variables: Record<string, string> = {};
  const run = async (example = ''): Promise<string> =>
    (await runExample(`cd '${folder}'; ${example}`, variables)).trim();
  const answer = async <Body>(example: string | undefined): Promise<Body> =>
    JSON.parse(await run(example)) as Body;
  const pay = async (): Promise<void> => {
    const { paymentId, _links } = await answer<Payment>(examples[2]);
    Object.assign(variables, { PAYMENT_ID: paymentId, SCA_REDIRECT: _links.scaRedirect.href });
  };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'xs2a-sign-'));
    world = await start();
    const guide = `${world.baseUrl}/guides/sign-in-a-test`;
    examples = await shownExamples(guide, 'Shell');
    const [program = '', ...others] = await shownExamples(guide, 'Python');
    expect([examples.length, others]).toEqual([10, []]);
    writeFileSync(join(folder, 'sign.py'), program);
    credentials = await registerTpp(world.baseUrl, 'Tested', redirectUri, ['PSP_AI', 'PSP_PI']);
    tpp = new TppClient(world.baseUrl, credentials);
    Object.assign(variables, {
      BASE_URL: world.baseUrl,
      CLIENT_ID: credentials.clientId,
      REDIRECT_URI: redirectUri,
      TOKEN: await tpp.applicationToken(),
    });
    const psu = await answer<FreshPsu>(examples[1]);
    const IBAN = psu.accounts[0]?.iban ?? '';
    Object.assign(variables, { PSU_ID: psu.psuId, PASSWORD: psu.password, IBAN });
  }, 90_000);
  afterAll(async () => {
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('contains a program that signs a payment, and API calls that settle the payment', async () => {
    await pay();
    expect(await run(examples[3])).toBe(redirectUri);
    expect(await answer(examples[6])).toEqual({ transactionStatus: 'ACCP' });
    expect(await run(examples[5])).toBe('');
    expect(await answer(examples[6])).toMatchObject({ transactionStatus: 'ACSC' });
  }, 60_000);

  it('contains a program that refuses a payment as the PSU', async () => {
    await pay();
    expect(await run(examples[4])).toBe(`${redirectUri}?outcome=nok`);
    expect(await answer(examples[6])).toMatchObject({ transactionStatus: 'RJCT' });
  }, 60_000);

  it('contains a program that stops after one sign-in with a wrong password', async () => {
    await pay();
    await expect(run(`PASSWORD=wrong ${examples[3]}`)).rejects.toThrow('the example ended with 1');
    expect(await answer(examples[6])).toEqual({ transactionStatus: 'RCVD' });
  }, 60_000);

  it('contains a program that signs a payment without a redirect URI, and prints the address of the last page', async () => {
    const { paymentId, _links } = await answer<Payment>(
      (examples[2] ?? '').replace(/-H "TPP-Redirect-URI[^\\]*/, ''),
    );
    Object.assign(variables, { PAYMENT_ID: paymentId, SCA_REDIRECT: _links.scaRedirect.href });
    expect(await run(examples[3])).toBe(variables['SCA_REDIRECT']);
    expect(await answer(examples[6])).toEqual({ transactionStatus: 'ACCP' });
  }, 60_000);

  it('contains a program that reports in one line that the bank is down', async () => {
    await pay();
    const psuId = variables['PSU_ID'];
    const json = { psuId, outcome: 'core-bank-down' };
    bodyOf(await tpp.call('POST', '/sandbox/simulate', variables['TOKEN'] ?? '', { json }), 200);
    await expect(run(`${examples[3]} 2>&1`)).rejects.toThrow(
      /^the example ended with 1: the bank answered 503: \S+\n$/,
    );
    expect(await run(examples[3])).toBe(redirectUri);
  }, 60_000);

  it('contains a program that stops a standing order as the PSU', async () => {
    const shown = await shownExamples(`${world.baseUrl}/guides/test-your-tpp`, 'Shell');
    variables['TODAY'] = dayFrom(await sandboxNow(world), 1);
    const order = await answer<Payment>(shown.find((one) => one.includes('startDate')));
    Object.assign(variables, { PAYMENT_ID: order.paymentId, SCA_REDIRECT: order._links.scaRedirect.href });
    await run(examples[3]);
    expect(await run(examples[8])).toBe(`${world.baseUrl}/sca/payments`);
    const read = await tpp.call('GET', order._links.self.href, variables['TOKEN'] ?? '');
    expect(bodyOf(read, 200)).toMatchObject({ transactionStatus: 'CANC' });
  }, 60_000);

  it('contains a program that approves a consent and prints the authorization code, and a program that withdraws the consent', async () => {
    const validUntil = dayFrom(await sandboxNow(world), 30);
    const json = consentBody([variables['IBAN'] ?? ''], validUntil);
    const headers = { 'PSU-ID': variables['PSU_ID'] ?? '' };
    const created = await tpp.call('POST', '/v1/consents', variables['TOKEN'] ?? '', { json, headers });
    const { consentId } = bodyOf<{ consentId: string }>(created, 201);
    const request = tpp.authorizationRequest('PSP_AI', consentId);
    const form = new URL(request.url).searchParams;
    const Authorization = `Basic ${btoa(`${credentials.clientId}:${credentials.clientSecret}`)}`;
    const pushed = await fetch(`${world.baseUrl}/oauth2/par`, {
      method: 'POST',
      headers: { Authorization },
      body: form,
    });
    const { request_uri: REQUEST_URI } = (await pushed.json()) as { request_uri: string };
    Object.assign(variables, { REQUEST_URI, CONSENT_ID: consentId });
    const printed = await run(examples[7]);
    expect(tpp.parseCode(printed, request)).toMatch(/\w/);
    expect(await run(examples[9])).toBe(`${world.baseUrl}/sca/apps`);
    const path = `/v1/consents/${consentId}/status`;
    const read = await tpp.call('GET', path, variables['TOKEN'] ?? '');
    expect(bodyOf(read, 200)).toEqual({ consentStatus: 'revokedByPsu' });
  }, 60_000);
});
