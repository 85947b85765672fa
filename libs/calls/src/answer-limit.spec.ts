import { expect, it } from '@jest/globals';
import type { Call } from '@xs2a/contracts/call';
import { natsConfiguration } from '@xs2a/nats/permissions/server-configuration';
import { readdirSync } from 'node:fs';
import { unansweredAfterMs } from './server.strategy.js';

const contracts = new URL('../../contracts/src/', import.meta.url);
const isCall = (value: unknown): value is Call<unknown, unknown> =>
  typeof value === 'object' && value !== null && 'subject' in value && 'timeoutMs' in value;

it('sends no reply after NATS has withdrawn the permission to reply', async () => {
  const files = readdirSync(contracts).filter((name) => name.endsWith('.contract.ts'));
  const modules = await Promise.all(
    files.map(async (name) => import(new URL(name, contracts).href) as Promise<Record<string, unknown>>),
  );
  const calls = modules.flatMap((module) => Object.values(module)).filter(isCall);
  expect(calls.length).toBeGreaterThan(50);
  const [, seconds] =
    /allow_responses: \{ max: 1, expires: "(\d+)s" \}/.exec(natsConfiguration(() => '')) ?? [];
  const longest = Math.max(...calls.map(({ timeoutMs }) => timeoutMs));
  expect(longest + unansweredAfterMs).toBeLessThan(Number(seconds) * 1000);
});
