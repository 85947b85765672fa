// Lane: long (one TPP keeps the machine busy for a minute).
import { expect, it } from '@jest/globals';
import { root } from '@xs2a/sandbox/layout';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

interface Line {
  readonly name: string;
  readonly verdict: string;
  readonly notes?: readonly string[];
  readonly problem?: string;
}

it('no TPP can block others: a POST of another TPP keeps its p95 below 1 s under each load, and none is refused (contract 3)', async () => {
  const args = [
    join(root, 'test/bench/dist/main.js'),
    '--row',
    'busy-tpp',
    '--seconds',
    '10',
    '--warm-up',
    '1',
    '--json',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 280_000 });
  const { lines } = JSON.parse(stdout) as { readonly lines: readonly Line[] };
  const { verdict, problem, notes = [] } = lines.find(({ name }) => name === 'busy-tpp') ?? {};
  process.stderr.write(notes.map((note) => `counts: ${note}\n`).join(''));
  expect(problem).toBeUndefined();
  expect(verdict).toBe('ok');
  const loads = [
    'nothing',
    'payments × 8',
    'bulks of 250 × 12',
    '1 MiB of members × 8',
    'GET /openapi.json × 32',
    'sign-ins × 48',
  ];
  for (const load of loads) expect(notes.some((note) => note.startsWith(`beside ${load}: `))).toBe(true);
}, 300_000);
