import { describe, expect, it } from '@jest/globals';
import type { UnfinishedPayments } from '@xs2a/contracts/payments.contract';
import { group, volume } from '../testing/observed.js';
import type { PastFigures } from './past-figures.js';
import { pastBody } from './past-page.js';

const at = (time: string): number => Date.parse(`2026-11-27T${time}Z`);
const figures = (
  unfinished: readonly UnfinishedPayments[],
  over: Partial<PastFigures> = {},
): PastFigures => ({
  atMs: at('12:00:00'),
  payments: { answer: { at: '2026-11-27T12:00:00.000Z', position: 7, unfinished, later: 4 } },
  calls: volume([group({ calls: 3 }), group({ status: 400, calls: 2 })]),
  ...over,
});
const text = (...shown: readonly PastFigures[]): string =>
  pastBody(shown)
    .text.replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
const overdue = { status: 'ACCP', state: 'overdue', payments: 2, seconds: 90 } as const;
const due = { status: 'ACSP', state: 'due', payments: 3, seconds: 5 } as const;

describe('the figures of Now as of a moment (docs/how-to/operate-the-console.md)', () => {
  it('are listed by state and status; what is due contains what is overdue', () => {
    const shown = text(figures([overdue, due]));
    expect(shown).toContain(
      'Due 5 Due, ACCP 2 Due, ACSP 3 Overdue 2 Oldest overdue, due for 1 min 30 s Due later 4',
    );
    expect(shown).toContain('Calls of the five minutes before 5 Refused calls (4xx) 2 Failed calls (5xx) 0');
    expect(shown).not.toContain('difference');
  });

  it('have the difference of two moments', () => {
    const shown = text(figures([overdue]), figures([due], { atMs: at('12:05:00'), calls: volume([]) }));
    expect(shown).toContain('Due 2 3 +1');
    expect(shown).toContain(
      'Overdue 2 0 −2 Oldest overdue, due for 1 min 30 s – −1 min 30 s Due later 4 4 0',
    );
    expect(shown).toContain('Calls of the five minutes before 5 0 −5');
  });

  it.each([
    [{ payments: { missing: 'payments' } }, 'payments did not answer'],
    [{ payments: { answer: { unknown: 'too-many' } } }, 'Too much has happened since'],
    [{ payments: { answer: { unknown: 'archived' } } }, 'Events since then are archived'],
    [{ calls: 'not-kept' }, 'Calls are not known: they are not kept for so long'],
    [{ calls: 'clock-moved' }, 'the sandbox clock was moved since'],
  ] as const)('are a question mark, with the reason, where they are not known: %j', (over, reason) => {
    const shown = text(figures([overdue]), figures([overdue], over));
    expect(shown).toContain(reason);
    expect(text(figures([], over), figures([], over)).split(reason)).toHaveLength(2);
    expect(shown).toContain('calls' in over ? 'Refused calls (4xx) 2 ? ?' : 'Overdue 2 ? ?');
  });
});
