import { describe, expect, it } from '@jest/globals';
import { root } from '@xs2a/runtime/release';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';

/** Runs the gateway until it ends, and returns its exit code and its log. */
const run = async (
  env: Readonly<Record<string, string>>,
): Promise<readonly [code: number | null, log: string]> => {
  const child = spawn(process.execPath, [join(root, 'apps/gateway/dist/main.js')], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return Promise.all([ended, text(child.stdout)]);
};

const production = {
  NATS_URL: 'tls://gateway:secret@nats.bank.example:4222',
  PROFILE_FILE: join(root, 'deploy/profiles/production.json'),
  PORT: '0',
  BASE_URL: 'https://xs2a.bank.example',
  AUTH_URL: 'http://auth:8080',
  GATEWAY_SECRET: 'x'.repeat(40),
};

describe('the gateway outside the sandbox (docs/adr/0077)', () => {
  it('does not start with CALL_BODIES=true, and says so in one line', async () => {
    const [code, log] = await run({ ...production, CALL_BODIES: 'true' });
    expect(code).toBe(1);
    expect(log.trim().split('\n')).toEqual([
      expect.stringContaining('configuration: CALL_BODIES is not false, as it must be outside the sandbox'),
    ]);
  });
});
