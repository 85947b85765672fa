import { expect, it } from '@jest/globals';
import { standbyTable } from './standby-table.js';

const standby = { name: 'standby1', state: 'streaming', syncState: 'quorum', behindBytes: 120, lagMs: 3 };

it('shows the state of each standby, whether commits wait for this standby, and how far it is behind', () => {
  const asynchronous = { ...standby, name: 'standby2', syncState: 'async', state: 'catchup', lagMs: null };
  const { text } = standbyTable({
    standbyNames: 'ANY 1 (standby1)',
    commit: 'on',
    standbys: [standby, asynchronous],
  });
  expect(text).toMatch(/standby1[^]*pill good"\s*>streaming[^]*yes \(quorum\)[^]*120 bytes, 3 ms/);
  expect(text).toMatch(
    /is-attention[^]*standby2[^]*pill attention"\s*>catchup[^]*no \(async\)[^]*120 bytes</,
  );
  expect(text).not.toContain('is-problem');
});

it('highlights a standby that synchronous_standby_names names and that is not connected', () => {
  const { text } = standbyTable({
    standbyNames: 'ANY 1 (standby1, standby2)',
    commit: 'on',
    standbys: [standby],
  });
  expect(text).toMatch(/is-problem[^]*<b>standby2<\/b>[^]*missing[^]*not connected/);
  expect(standbyTable({ standbyNames: '*', commit: 'on', standbys: [] }).text).toMatch(/is-problem[^]*any/);
});

it('shows for a database without standbys that none is connected and that commits wait for none', () => {
  const { text } = standbyTable({ standbyNames: '', commit: 'on', standbys: [] });
  expect(text).toContain('None is connected, and none is configured.');
  expect(text).toContain('synchronous_standby_names is empty: commits are acknowledged before');
});
