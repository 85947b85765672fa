// Lane: long (a reader of the portal, from the first page to the last).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '@xs2a/sandbox/layout';
import { consentBody, consented, dayFrom, sandboxNow, until } from '@xs2a/test-support/requests';
import { authorise } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { strFromU8, unzipSync } from 'fflate';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What Bruno reports of a request. */
interface Sent {
  readonly path: string;
  readonly status: string;
  readonly response: { readonly status: number | string; readonly data: unknown };
  readonly assertionResults: readonly { readonly status: string }[];
}

const bru = join(root, 'node_modules/@usebruno/cli/bin/bru.js');

describe.each([
  { bank: 'in leva', when: '90 days later', later: 'P90D', start: async () => World.start() },
  { bank: 'in euro', when: 'today', later: 'PT0.001S', start: async () => World.inEuro() },
])('the Bruno collection of a bank $bank', ({ when, later, start }) => {
  let world: World;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'xs2a-bruno-'));
    world = await start();
  }, 90_000);
  afterAll(async () => {
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Downloads and unpacks the collection. Returns the paths of its requests. */
  const download = async (): Promise<string[]> => {
    // On a busy machine, the gateway answers 503 if the portal takes longer than its limit.
    const get = async (path: string): Promise<Response> =>
      until(
        async () => fetch(`${world.baseUrl}${path}`),
        ({ status }) => status !== 503,
      );
    const page = await (await get('/collections')).text();
    const link = /href="(\/collections\/bruno\.zip)"/.exec(page)?.[1] ?? '';
    const response = await get(link);
    expect(response.status).toBe(200);
    const files = Object.entries(unzipSync(new Uint8Array(await response.arrayBuffer())));
    for (const [path, content] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    return files.filter(([, content]) => /^ {2}type: http$/m.test(strFromU8(content))).map(([path]) => path);
  };

  /** Runs the whole collection. `tokens`: those that a customer has approved. */
  const run = async (
    tokens: Readonly<Record<'userToken' | 'fundsToken', string>>,
  ): Promise<readonly Sent[]> => {
    const report = join(folder, 'report.json');
    const variables = Object.entries(tokens).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
    // Bruno's default, the sandbox `safe`, adds 0.6 s to each request.
    const args = [bru, 'run', '-r', '--sandbox', 'developer', '--env', 'Sandbox', ...variables];
    args.push('--reporter-json', report);
    await once(spawn(process.execPath, args, { cwd: join(folder, 'xs2a-bruno'), stdio: 'ignore' }), 'exit');
    const [{ results } = { results: [] }] = JSON.parse(readFileSync(report, 'utf8')) as {
      results: readonly Sent[];
    }[];
    return results;
  };

  it(`runs whole: each request gets the status that it expects, ${when}`, async () => {
    await world.advance(later);
    const requests = await download();
    const tpp = world.tpp();
    const psu = await world.person('100.00');
    const [{ iban, currency } = { iban: '', currency: '' }] = psu.accounts;
    await tpp.call('POST', `/sandbox/accounts/${iban}/deposit`, await tpp.applicationToken(), {
      json: { amount: '5.00', currency },
    });
    const consent = consentBody([iban], dayFrom(await sandboxNow(world), 30));
    const { tokens } = await consented(world, tpp, psu, consent);
    const funds = await authorise(tpp, { psuId: 'ivan', password: 'sandbox' }, 'PSP_IC');
    const sent = await run({ userToken: tokens.access_token, fundsToken: funds.access_token });
    expect(sent).toHaveLength(requests.length);
    const failed = sent.filter(
      ({ status, assertionResults }) =>
        status !== 'pass' ||
        assertionResults.length === 0 ||
        assertionResults.some((one) => one.status !== 'pass'),
    );
    expect(failed.map(({ path, response }) => [path, response.status, response.data])).toEqual([]);
  }, 120_000);
});
