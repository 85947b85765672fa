import { describe, expect, it } from '@jest/globals';
import type { LoggedEvent, LogPage } from '@xs2a/contracts/timeline.contract';
import { toShown } from './shown-events.js';

const clientId = 'tpp-01a22443-4ddc-7603-91de-e9f028e2f5a9';
const event: LoggedEvent = {
  pos: 7,
  at: '2026-11-28T22:31:20.392Z',
  type: 'initiated',
  id: '01a22443-4e08-7145-967f-880952d864c1',
  actor: clientId,
  tppId: clientId,
  product: 'domestic-credit-transfer-BGN',
};
const shown = (changes: Partial<LoggedEvent>) => {
  const page: LogPage = {
    events: [{ ...event, ...changes }],
    last: 7,
    leftOut: 0,
    searchedFrom: 1,
    gaps: [],
  };
  return toShown(page, () => 'Hanging shop').events[0];
};

describe('an event on Live', () => {
  it('has the name of its TPP, and its client id only to link to it', () => {
    expect(shown({})).toMatchObject({ tppId: clientId, tppName: 'Hanging shop', by: 'TPP' });
  });

  it('says who else caused it, and names no TPP if its resource is no longer stored', () => {
    expect(shown({ actor: 'psu' })?.by).toBe('psu');
    expect(shown({ actor: 'sandbox-tpp' })?.by).toBe('sandbox-tpp');
    expect(shown({ tppId: null })?.tppName).toBe('');
  });
});
