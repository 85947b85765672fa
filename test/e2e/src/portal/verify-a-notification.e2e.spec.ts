// Lane: long (a reader of the portal, from the first page to the last).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { type Language, runExample, shownExamples } from '@xs2a/test-support/page-examples';
import { registerTpp } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const programs: readonly {
  readonly language: Language;
  readonly file: string;
  readonly command: string;
  /** Arguments with which the command succeeds where the program can run. */
  readonly probe: readonly string[];
}[] = [
  { language: 'Node', file: 'verify.mjs', command: process.execPath, probe: ['--version'] },
  { language: 'Python', file: 'verify.py', command: 'python3', probe: ['-c', 'import cryptography'] },
  { language: 'Java', file: 'Verify.java', command: 'java', probe: ['--version'] },
];

describe('docs/how-to/verify-a-notification.md in the portal', () => {
  let world: World;
  let receiver: HttpReceiver;
  let folder: string;
  let paymentId: string;
  /** The first notification, with its signature and the time at which the bank signed it. */
  let body: string;
  let signature: string;
  let signedMs: number;
  const shown = async (language: Language): Promise<string[]> =>
    shownExamples(`${world.baseUrl}/guides/verify-a-notification`, language);
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'xs2a-verify-'));
    [world, receiver] = await Promise.all([World.ofLane(), HttpReceiver.start()]);
    const redirectUri = `${receiver.url}/callback`;
    const roles = ['PSP_AI', 'PSP_PI'];
    const credentials = await registerTpp(world.baseUrl, 'Notified', redirectUri, roles);
    const psu = await world.person('100.00');
    const [, create = ''] = await shown('Shell');
    const answer = await runExample(create, {
      BASE_URL: world.baseUrl,
      TOKEN: await new TppClient(world.baseUrl, credentials).applicationToken(),
      IBAN: psu.accounts[0]?.iban ?? '',
      REDIRECT_URI: redirectUri,
      NOTIFICATION_URI: `${receiver.url}/bank`,
    });
    const created = JSON.parse(answer) as {
      readonly paymentId: string;
      readonly _links: { readonly scaRedirect: { readonly href: string } };
    };
    ({ paymentId } = created);
    await walkAndApprove(world.browser(), created._links.scaRedirect.href, psu);
    await receiver.received(1);
    const [first] = receiver.posts;
    body = first?.body ?? '';
    signature = String(first?.headers['x-jws-signature']);
    signedMs = Date.parse(String(first?.headers['x-sandbox-clock']));
  });
  afterAll(async () => {
    await receiver.stop();
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has a payment whose changes of status the bank reports', async () => {
    const [address, , ...more] = await shown('Shell');
    expect([address, more]).toEqual([`export BASE_URL=${world.baseUrl}`, []]);
    expect(JSON.parse(body)).toMatchObject({ paymentId, transactionStatus: 'ACCP' });
  });

  for (const { language, file, command, probe } of programs) {
    const isInstalled = spawnSync(command, probe).status === 0;
    if (!isInstalled)
      console.warn(`SKIPPED: the program in ${language}, because ${command} cannot run it here`);
    (isInstalled ? it : it.skip)(
      `has a program in ${language} that accepts only what the bank signed just now`,
      async () => {
        const [program = '', ...more] = await shown(language);
        expect(more).toEqual([]);
        writeFileSync(join(folder, file), program);
        const verdict = (jws: string, input: string, at: number): string => {
          const SANDBOX_CLOCK = new Date(at).toISOString();
          const env = { ...process.env, NODE_OPTIONS: '', BASE_URL: world.baseUrl, SANDBOX_CLOCK };
          const { stdout, stderr } = spawnSync(command, [join(folder, file), jws], {
            input,
            env,
            encoding: 'utf8',
          });
          return stdout.trim() || stderr;
        };
        expect(verdict(signature, body, signedMs)).toBe('verified');
        expect(verdict(signature, body.replace('ACCP', 'ACSC'), signedMs)).toBe('refused');
        expect(verdict(signature, `${body} `, signedMs)).toBe('refused');
        expect(verdict(signature, body, signedMs + 301_000)).toBe('refused');
        expect(verdict(signature.replace('..', '.'), body, signedMs)).toBe('refused');
      },
    );
  }
});
