import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Issued } from '@xs2a/qwac/issue-certificate';
import { issueTestQwac } from '@xs2a/qwac/sandbox-authority';
import { makeLayout, root, secretIn } from '@xs2a/sandbox/layout';
import { testAuthority } from '@xs2a/sandbox/tpp/test-authority';
import { runExample, shownExamples } from '@xs2a/test-support/page-examples';
import { proxyName, TlsProxy } from '@xs2a/test-support/tls-proxy';
import { World } from '@xs2a/test-support/world';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Variables = Readonly<Record<string, string>>;

describe('docs/how-to/present-a-certificate.md in the portal', () => {
  let world: World;
  let proxy: TlsProxy;
  let authority: Issued;
  let folder: string;
  let variables: Record<string, string>;
  let commands: string[];
  const run = async (command: string, more: Variables = {}): Promise<string> =>
    runExample(`cd "$FOLDER"\n${command}`, { ...variables, ...more });
  const answer = async <Body>(command: string, more: Variables = {}): Promise<Body> =>
    JSON.parse(await run(command, more)) as Body;
  /** The variables for another certificate than that of the page. */
  const present = (changes: object = {}): Variables => {
    const file = join(folder, randomUUID());
    const roles = ['PSP_AI', 'PSP_PI'] as const;
    const subject = { name: 'Acme', organizationIdentifier: 'PSDBG-BNB-12345', roles, days: 30, ...changes };
    const { certificate, privateKey } = issueTestQwac(subject, authority, Date.now());
    writeFileSync(`${file}.crt`, certificate);
    writeFileSync(`${file}.key`, privateKey);
    return { CERT: `${file}.crt`, KEY: `${file}.key` };
  };

  beforeAll(async () => {
    world = await World.start({ gateway: { CLIENT_CERTIFICATES: 'required' } });
    const layout = makeLayout(world.dataDir);
    authority = testAuthority(layout);
    const server = { name: proxyName, organizationIdentifier: 'PSDBG-BNB-1', roles: [], days: 30 };
    proxy = await TlsProxy.start({
      gateway: world.baseUrl,
      secret: secretIn(layout.secret('proxy-secret')),
      identity: issueTestQwac(server, authority, Date.now()),
      authority: authority.certificate,
    });
    folder = mkdtempSync(join(tmpdir(), 'xs2a-certificate-'));
    mkdirSync(join(folder, '.xs2a'));
    symlinkSync(world.dataDir, join(folder, '.xs2a/sandbox'));
    writeFileSync(join(folder, 'authority.crt'), authority.certificate);
    const resolve = `${proxyName}:${proxy.port}:127.0.0.1`;
    writeFileSync(join(folder, '.curlrc'), `cacert = authority.crt\nresolve = ${resolve}\n`);
    variables = {
      FOLDER: folder,
      CURL_HOME: folder,
      XS2A_DATA_DIR: world.dataDir,
      BASE_URL: `https://${proxyName}:${proxy.port}`,
      REDIRECT_URI: 'https://tpp.example/callback',
    };
    const [, issue = '', ...rest] = await shownExamples(
      `${world.baseUrl}/guides/present-a-certificate`,
      'Shell',
    );
    commands = rest;
    const files = await runExample(`cd '${root}'\n${issue}`, variables);
    variables['CERT'] = /certificate +(\S+)/.exec(files)?.[1] ?? '';
    variables['KEY'] = /private key +(\S+)/.exec(files)?.[1] ?? '';
    const [register = '', token = ''] = commands;
    variables['CLIENT_ID'] = (await answer<{ clientId: string }>(register)).clientId;
    variables['TOKEN'] = (await answer<{ access_token: string }>(token)).access_token;
  }, 60_000);
  afterAll(async () => {
    await proxy?.stop();
    await world?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has a certificate with which a TPP gets a token, and calls the API with and without TLS', async () => {
    const [, , call = '', withoutTls = '', end = '', ...more] = commands;
    expect(more).toEqual([]);
    expect(await answer(call)).toMatchObject({ consents: [] });
    expect(await answer(withoutTls, { BASE_URL: world.baseUrl })).toMatchObject({ consents: [] });
    expect(await run(end)).toMatch(/^notAfter=/);
  });

  it('names each refusal, with its status', async () => {
    const [register = '', token = '', call = ''] = commands;
    const withSecret = register.replace(/,[^,]*tls_client_auth[^}]*/, '');
    const registered = await answer<{ clientId: string; clientSecret: string }>(withSecret);
    const bySecret = token.replace(/-d "client_id=[^"]*"/, '-u "$CLIENT_ID:$CLIENT_SECRET"');
    const other = { CLIENT_ID: registered.clientId, CLIENT_SECRET: registered.clientSecret };
    const { access_token: TOKEN } = await answer<{ access_token: string }>(bySecret, other);
    const unbound = { ...other, TOKEN };
    const refused = async (command: string, more: Variables): Promise<string> => {
      const [status = '', code = ''] =
        /"(?:error|code)":"(\w+)".* (\d+)$/s
          .exec(await run(`${command} -w ' %{http_code}'`, more))
          ?.slice(1)
          .toReversed() ?? [];
      return `${status} ${code}`;
    };
    const withoutOne = call.replace('--cert "$CERT" --key "$KEY"', '');
    const stranger = present({ organizationIdentifier: 'PSDBG-BNB-THIEF' });
    const block = `curl -s -X PATCH "$BASE_URL/sandbox/tpps/$CLIENT_ID" --cert "$CERT" --key "$KEY" \
      -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"status":"blocked"}'`;
    const provoked = [
      await refused(withoutOne, unbound),
      await refused(call, { ...unbound, ...stranger }),
      await refused(call, { ...unbound, ...present({ days: -1 / 48 }) }),
      await refused(call, { ...unbound, ...present({ roles: ['PSP_PI'] }) }),
      await refused(call, present()),
      await run(block, unbound).then(async () => refused(call, unbound)),
      await refused(token, stranger),
      await refused(token, present({ roles: ['PSP_PI'] })),
    ];
    const page = readFileSync(join(root, 'docs/how-to/present-a-certificate.md'), 'utf8');
    const listed = [...page.matchAll(/^\| (\d{3}) `(\w+)`/gm)].map(([, status, code]) => `${status} ${code}`);
    expect(listed).toEqual(provoked);
  });

  it('keeps an application running while its certificate is replaced', async () => {
    const [, token = '', call = ''] = commands;
    const renewed = present();
    const { access_token } = await answer<{ access_token: string }>(token, renewed);
    expect(await answer(call, { ...renewed, TOKEN: access_token })).toMatchObject({ consents: [] });
    expect(await answer(call)).toMatchObject({ consents: [] });
  });
});
