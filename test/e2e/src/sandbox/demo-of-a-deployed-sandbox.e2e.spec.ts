import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '@xs2a/sandbox/layout';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await World.ofLane();
}, 120_000);
afterAll(async () => world.stop(), 30_000);

describe('npm run demo -- --base-url (docs/how-to/deploy.md)', () => {
  it('plays the demo by the public interface alone, whatever runs on this machine', async () => {
    const demo = spawn(
      process.execPath,
      [join(root, 'tools/sandbox/dist/demo/main.js'), '--base-url', `${world.baseUrl}/`],
      { env: { ...process.env, NODE_OPTIONS: '', XS2A_DATA_DIR: '/nowhere' } },
    );
    let output = '';
    for (const stream of [demo.stdout, demo.stderr])
      stream.on('data', (data: Buffer) => (output += data.toString()));
    const [code] = await once(demo, 'close');
    expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    expect(output).toContain('✓ the payment is booked in the history');
    expect(output).toContain('Everything was as the contract says.');
    expect(output).not.toContain('JetStream');
    expect(output).not.toContain('starting one');
  }, 120_000);
});
