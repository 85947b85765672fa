// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { insist } from '@xs2a/test-support/persistent-tpp';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { makeLayout } from '@xs2a/sandbox/layout';
import { root } from '@xs2a/runtime/release';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { makeOperator } from '../testing/command-process.js';

const page = readFileSync(join(root, 'docs/how-to/fail-over.md'), 'utf8');
const section = (heading: string): string =>
  page.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
const findSql = (text: string): string[] =>
  [...text.matchAll(/```sql\n(.*?)```/gs)].flatMap(([, block = '']) =>
    block.split('\n').flatMap((line) => line.trim() || []),
  );
const commands = [...page.matchAll(/npm run xs2a -- ([^`\n]*)/g)].map(([, command = '']) => command);

let world: World;
let psu: FreshPsu;
beforeAll(async () => {
  world = await World.around({ standby: { synchronous: true } });
  psu = await world.person('100.00');
}, 120_000);
afterAll(async () => world.stop(), 30_000);

const run = async (statements: readonly string[]): Promise<void> => {
  const client = new Client({ connectionString: world.sandbox.databaseUrl('postgres') });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
};
const doctorLine = async (): Promise<string> => {
  const { stdout } = await makeOperator(world.dataDir).xs2a('doctor');
  return /^. replication +(.*)$/m.exec(stdout)?.[1] ?? stdout;
};

it('every statement and command in docs/how-to/fail-over.md works in a planned switchover, which loses nothing', async () => {
  const setUp = findSql(section('Set up'));
  expect(setUp).toHaveLength(3);
  await run(setUp);
  // The sandbox's standby uses the second of the two names.
  expect(await doctorLine()).toMatch(/^synchronous: standby_2 \(quorum, streaming, \d+ bytes.* behind\)$/);

  const acknowledged = await insist(world, psu, '1.00');
  const [promote, ...after] = findSql(section('A planned switchover'));
  expect(promote).toBe('SELECT pg_promote();');
  // Stops the primary cleanly, promotes the standby, and directs the address to the promoted server.
  await world.sandbox.databases.switchOver();
  expect(after).toHaveLength(2);
  await run(after);
  const later = await insist(world, psu, '1.00');
  const { xs2a } = makeOperator(world.dataDir);
  for (const { paymentId } of [acknowledged, later])
    expect(await xs2a('events', 'show', paymentId)).toMatchObject({ code: 0 });

  expect(commands.length).toBeGreaterThan(6);
  for (const command of new Set(commands)) {
    const args = (command.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
    const given = args.map((word) => (word === 'ID' ? later.paymentId : word));
    const { code, stderr } = await xs2a(...given);
    // Nothing was lost, so there are no lost events to show or release.
    const refused = /No event of .* was lost|is not blocked by a lost event/.test(stderr);
    expect([command, code === 0 || (command.includes('ID') && refused)]).toEqual([command, true]);
  }
}, 90_000);

it('no log lines about lost events are written after a switchover', () => {
  const log = readFileSync(makeLayout(world.dataDir).log('payments'), 'utf8');
  expect(log).not.toContain('went back to an earlier state');
});
