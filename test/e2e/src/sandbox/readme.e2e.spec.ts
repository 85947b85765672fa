import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listExamples, runExample } from '@xs2a/test-support/page-examples';
import { World } from '@xs2a/test-support/world';

let world: World;
beforeAll(async () => {
  world = await World.ofLane();
});
afterAll(async () => world?.stop());

describe('README.md', () => {
  it('contains commands that lead from a token to a settled payment on a running sandbox', async () => {
    const [example = '', ...more] = listExamples('README.md', 'bash');
    expect(more).toEqual([]);
    const bank = 'BANK=http://127.0.0.1:8080\n';
    expect(example.startsWith(bank)).toBe(true);
    const said = await runExample(example.replace(bank, `BANK=${world.baseUrl}\n`), {});
    const [now = '', status = '', ...others] = said.split(/(?<=\})(?=\{)/);
    expect(JSON.parse(now)).toEqual({ now: expect.any(String) });
    expect([status, ...others]).toEqual(['{"transactionStatus":"ACSC","fundsAvailable":true}']);
  }, 30_000);
});
