// Lane: nightly (it downloads the generator, and builds clients in two languages for two banks).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '@xs2a/sandbox/layout';
import { type Language, runExample, shownExamples } from '@xs2a/test-support/page-examples';
import { World } from '@xs2a/test-support/world';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const programs = {
  java: ['-version'],
  javac: ['-version'],
  mvn: ['-version'],
  python3: ['-c', 'import venv'],
};
const missing = Object.entries(programs).flatMap(([program, probe]) =>
  spawnSync(program, probe).status === 0 ? [] : [program],
);
if (missing.length > 0)
  process.stderr.write(`skipped: no client was generated, because there is no ${missing.join(', no ')}\n`);

const banks = [
  { bank: 'in leva', start: async () => World.start(undefined, 'sandbox') },
  { bank: 'in euro', start: async () => World.inEuro() },
];
const printed = 'RCVD\nFORMAT_ERROR instructedAmount.amount Send at most 2 decimals in this currency.\n';
/** What a generator calls a type that has no name in the description. */
const unnamed = /Inner|\d+Response|Not(?!ification)|A(?:ll|ny)Of|OneOf|Links\d/;

(missing.length === 0 ? describe : describe.skip).each(banks)(
  'docs/how-to/generate-a-client.md in the portal of a bank $bank',
  ({ start }) => {
    let world: World;
    let folder: string;
    let commands: string[];
    let variables: Record<string, string>;
    const shown = async (language: Language): Promise<string[]> =>
      shownExamples(`${world.baseUrl}/guides/generate-a-client`, language);
    const run = async (command: string): Promise<string> => runExample(`cd "$FOLDER"\n${command}`, variables);
    const save = async (language: Language, file: string): Promise<void> => {
      const [program = '', ...more] = await shown(language);
      expect(more).toEqual([]);
      writeFileSync(join(folder, file), program);
    };
    const listTypes = (path: string): string[] =>
      readdirSync(join(folder, path)).map((file) => file.replace('.java', ''));

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'xs2a-generated-'));
      world = await start();
      const psu = await world.person('1000.00');
      const { clientId, clientSecret = '' } = world.tpp().credentials;
      variables = {
        FOLDER: folder,
        BASE_URL: world.baseUrl,
        CLIENT_ID: clientId,
        CLIENT_SECRET: clientSecret,
        IBAN: psu.accounts[0]?.iban ?? '',
        MAVEN_OPTS: `-Dmaven.repo.local=${join(root, '.xs2a/maven')}`,
      };
      const [address, download = '', ...rest] = await shown('Shell');
      expect(address).toBe(`export BASE_URL=${world.baseUrl}`);
      commands = rest;
      await run(download);
    }, 300_000);
    afterAll(async () => {
      await world.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    it('generates a client in Python, which pays, reads the status and shows an error', async () => {
      const [generate = '', execute = ''] = commands;
      await run(generate);
      await save('Python', 'pay.py');
      expect(await run(execute)).toBe(printed);
    }, 300_000);

    it('generates a client in Java, which pays, reads the status and shows an error', async () => {
      const [, , generate = '', execute = '', ...more] = commands;
      expect(more).toEqual([]);
      await run(generate);
      await save('Java', 'Pay.java');
      expect(await run(execute)).toBe(printed);
      const types = listTypes('java-client/src/main/java/xs2a/model');
      expect(types).toEqual(expect.arrayContaining(['PaymentInitiated', 'PageLinks', 'Tokens']));
      expect(types.filter((name) => unnamed.test(name))).toEqual([]);
    }, 300_000);
  },
);
