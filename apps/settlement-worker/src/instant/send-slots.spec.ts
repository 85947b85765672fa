import { describe, expect, it } from '@jest/globals';
import { SendSlots, type SlotWish } from './send-slots.js';

const single = (debtorIban: string): SlotWish => ({ debtorIban, isEntry: false });
const entry = (debtorIban: string): SlotWish => ({ debtorIban, isEntry: true });
/** Takes slots for one order of each of many accounts, and returns how many there were. */
const takeMany = (slots: SendSlots, wish: (iban: string) => SlotWish): number =>
  Array.from({ length: 300 }, (_, index) => slots.take(wish(`account ${index}`))).filter(Boolean).length;
const never = new AbortController().signal;

describe('the instant orders under way at the same time (contract E3.2)', () => {
  it('are at most 200', () => {
    expect(takeMany(new SendSlots(), single)).toBe(200);
  });

  it('leave 50 places to single payments', () => {
    const slots = new SendSlots();
    expect(takeMany(slots, entry)).toBe(150);
    expect(takeMany(slots, single)).toBe(50);
  });

  it('are at most 20 of one debtor account, so that those of others are sent', () => {
    const slots = new SendSlots();
    const taken = Array.from({ length: 30 }, () => slots.take(single('busy')));
    expect(taken.filter(Boolean)).toHaveLength(20);
    expect(slots.take(single('other'))).toBe(true);
  });

  it('are sent in the order in which they wait, once others have ended', async () => {
    const slots = new SendSlots();
    for (let count = 0; count < 20; count += 1) slots.take(single('busy'));
    const sent: string[] = [];
    const waiting = ['first', 'second'].map(async (name) => {
      expect(await slots.wait(single('busy'), never)).toBe(true);
      sent.push(name);
    });
    slots.free(single('busy'));
    await waiting[0];
    expect(sent).toEqual(['first']);
    slots.free(single('busy'));
    await waiting[1];
    expect(sent).toEqual(['first', 'second']);
  });

  it('do not include one whose time is over while it waits', async () => {
    const slots = new SendSlots();
    for (let count = 0; count < 20; count += 1) slots.take(single('busy'));
    const over = new AbortController();
    const waiting = slots.wait(single('busy'), over.signal);
    over.abort();
    expect(await waiting).toBe(false);
    slots.free(single('busy'));
    expect(slots.take(single('busy'))).toBe(true);
    expect(slots.take(single('busy'))).toBe(false);
  });
});
