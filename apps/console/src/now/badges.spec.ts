import { expect, it } from '@jest/globals';
import { toBadges } from './badges.js';

it('the navigation counts what waits on each page, as urgent as the worst of it', () => {
  const badges = toBadges([
    { place: '/calls', level: 'attention' },
    { place: '/services', level: 'problem' },
    { place: '/services', level: 'attention' },
  ]);
  expect(Object.fromEntries(badges)).toEqual({
    '/now': { count: 3, level: 'problem' },
    '/calls': { count: 1, level: 'attention' },
    '/services': { count: 2, level: 'problem' },
  });
  expect(toBadges([]).size).toBe(0);
});
