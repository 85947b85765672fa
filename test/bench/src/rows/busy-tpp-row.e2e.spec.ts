// Lane: nightly (one TPP keeps the machine busy for a minute).
import { expect, it } from '@jest/globals';
import { runRow } from './testing/run-row.js';

it('no TPP can block others: POSTs of another TPP keep a p95 below 1 s under each load, and none is refused (contract 3)', async () => {
  const { verdict, problem, notes } = await runRow('busy-tpp', '--seconds', '10', '--warm-up', '1');
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
  for (const load of loads) expect(notes.some((note) => note.startsWith(`during ${load}: `))).toBe(true);
}, 300_000);
