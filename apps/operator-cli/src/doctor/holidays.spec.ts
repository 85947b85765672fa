import { describe, expect, it } from '@jest/globals';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@xs2a/runtime/release';
import { holidaysOutcome } from './holidays.js';

const production = join(root, 'deploy/profiles/production.json');

describe('the holidays check of doctor', () => {
  it('always passes with a computed calendar', () => {
    expect(holidaysOutcome(production, 0)).toEqual({ ok: true, text: 'computed' });
    const inFiftyYears = 50 * 365 * 86_400_000;
    expect(holidaysOutcome(production, inFiftyYears)).toEqual({ ok: true, text: 'computed' });
  });

  it('warns if a table of single days has ended', () => {
    const folder = mkdtempSync(join(tmpdir(), 'xs2a-holidays-'));
    try {
      cpSync(join(production, '..'), folder, { recursive: true });
      const table = { about: 'Days.', source: 'The bank.', asOf: '2020-01-01', days: ['2020-12-24'] };
      writeFileSync(join(folder, 'tables/holidays-bg.json'), JSON.stringify(table));
      expect(holidaysOutcome(join(folder, 'production.json'), 0)).toMatchObject({
        ok: true,
        text: 'the holiday table ends on 2020-12-24: every weekday after it counts as a banking day',
        repair: expect.stringContaining('production.json'),
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
