// Lane: nightly (two services with a history each).
import { expect, it } from '@jest/globals';
import { runRow } from './testing/run-row.js';

const measured = [
  'doctor --deep',
  'dump',
  'rebuild of payment_volume_daily',
  'wiped stream filled again',
  'GET status',
  'GET transactions',
  'settlement',
  'POST payment',
  'event age, commit to JetStream',
];

it('loads a history that passes verification, and takes every measurement with few and with many events', async () => {
  const about = '--events 20000 --payments 200 --seconds 2 --warm-up 1';
  const { verdict, problem, notes } = await runRow('history', ...about.split(' '));
  expect(problem).toBeUndefined();
  expect(verdict).toMatch(/^(ok|missed)$/);
  expect(notes[0]).toMatch(/^20125 events of 3500 payments over 730 days, .* to 2875 over 20$/);
  const figures = notes.slice(1, 1 + measured.length);
  expect(figures.map((note) => note.slice(0, note.indexOf(':')))).toEqual(measured);
  for (const figure of figures) expect(figure).toMatch(/: [\d.]+×.* 100 million events/);
  expect(figures[0]).toContain('nothing found');
  expect(notes[1 + measured.length]).toMatch(
    /^KB kept of a payment until its month is archived: [\d.]+ \(.*payments\.events [\d.]+.*\); for a day [\d.]+; in the sandbox bank's ledger [\d.]+; written to the WAL [\d.]+$/,
  );
  expect(notes[2 + measured.length]).toMatch(
    /^KB kept of a payment in the archive, until its retention ends: [\d.]+ \([1-9]\d* events of [1-9]\d* payments archived in [\d.]+ s\)$/,
  );
}, 300_000);
