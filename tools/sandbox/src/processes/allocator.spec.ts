import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { allocatorEnvironment, youngGeneration } from './allocator.js';
import { root } from '../layout.js';

const onDebian = '/usr/lib/x86_64-linux-gnu/libjemalloc.so.2';

describe('the memory allocator of a service (ADR 22)', () => {
  it('is jemalloc if it is installed on the machine', () => {
    expect(allocatorEnvironment((path) => path === onDebian)).toEqual({
      LD_PRELOAD: onDebian,
      MALLOC_CONF: expect.stringContaining('background_thread:true'),
    });
  });

  it('is otherwise glibc, configured to return memory to the system', () => {
    expect(allocatorEnvironment(() => false)).toEqual({ MALLOC_MMAP_THRESHOLD_: '32768' });
  });

  it('is the same in the image, with the same young generation', () => {
    const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
    const { MALLOC_CONF } = allocatorEnvironment((path) => path === onDebian);
    expect(dockerfile).toContain('libjemalloc2');
    expect(dockerfile).toContain(`MALLOC_CONF=${MALLOC_CONF}`);
    expect(dockerfile).toContain(`exec node ${youngGeneration} `);
  });

  it('has the same young generation as the process that starts the sandbox', () => {
    const bootstrap = readFileSync(join(root, 'tools/sandbox/bootstrap.mjs'), 'utf8');
    expect(bootstrap).toContain(`['${youngGeneration}']`);
  });

  it('accepts its settings, and is loaded in the process', () => {
    const settings = allocatorEnvironment();
    const script = `const maps = require('node:fs').readFileSync('/proc/self/maps', 'utf8'); console.log(maps.includes('libjemalloc'));`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
      env: {
        ...settings,
        ...(settings.MALLOC_CONF ? { MALLOC_CONF: `${settings.MALLOC_CONF},abort_conf:true` } : {}),
      },
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    if (existsSync('/proc/self/maps')) expect(stdout.trim()).toBe(String('LD_PRELOAD' in settings));
  });
});
