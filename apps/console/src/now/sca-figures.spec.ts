import { expect, it } from '@jest/globals';
import { others, running } from '../testing/observed.js';
import { scaFigures } from './sca-figures.js';

it('sums up the SCA of all instances of auth, also of one of an earlier release that counts nothing', () => {
  const auth = (recent?: NonNullable<Parameters<typeof running>[0]>['recent']) =>
    running({ service: 'auth', recent });
  const rest = others.filter(({ service }) => service !== 'auth');
  expect(scaFigures(rest)).toBeUndefined();
  expect(scaFigures([...rest, auth()])).toEqual({ passed: 0, failed: 0, locks: 0 });
  const one = auth({ 'sca-passed': 20, 'sca-failed': 3, 'sca-locks': 1 });
  expect(scaFigures([...rest, auth({ 'sca-passed': 3 }), auth(), one])).toEqual({
    passed: 23,
    failed: 3,
    locks: 1,
  });
});
