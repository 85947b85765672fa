import { expect, it } from '@jest/globals';
import { readModelTable } from './read-model-table.js';

const projection = {
  name: 'payment_volume_daily',
  version: 1,
  isOutdated: false,
  pos: 107,
  behind: 2,
  rebuiltAt: '2026-11-27T11:00:00.000Z',
};
const view = { name: 'consent_view', isOutdated: false, pos: 40, behind: 0 };

it('shows the log position, the latest rebuild and the rebuild command of each read model', () => {
  const { text } = readModelTable([
    ['payments', { answer: [projection] }],
    ['consents', { answer: [view] }],
  ]);
  expect(text).toMatch(
    /payment_volume_daily[^]*follows the log[^]*>107<[^]*>2<[^]*2026-11-27 11:00:00[^]*xs2a projections rebuild payment_volume_daily</,
  );
  expect(text).toMatch(
    /consent_view[^]*with each event[^]*>40<[^]*>0<[^]*>–<[^]*xs2a projections rebuild consent_view</,
  );
  expect(text).not.toContain('is-problem');
});

it('highlights an outdated read model, and names the service that did not respond', () => {
  const { text } = readModelTable([
    ['payments', { answer: [{ ...projection, isOutdated: true }] }],
    ['consents', { missing: 'consents' }],
  ]);
  expect(text).toMatch(/is-problem[^]*payment_volume_daily[^]*outdated/);
  expect(text).toMatch(/consents[^]*not known[^]*consents did not answer/);
});
