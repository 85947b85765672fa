import { describe, expect, it } from '@jest/globals';
import { chaosCommand, WrongUsage } from './command-line.js';

describe('npm run chaos', () => {
  it('takes seed, seconds and form, and has a value for each', () => {
    expect(chaosCommand([], 5)).toEqual({ seed: 5, seconds: 60, cluster: false, json: false });
    expect(
      chaosCommand(['--seed', '0', '--seconds', '3600', '--cluster', '--json', '--keep', 'x'], 5),
    ).toEqual({
      seed: 0,
      seconds: 3600,
      cluster: true,
      json: true,
      keepIn: 'x',
    });
  });

  it.each([['--seed', '-1'], ['--seed', '1.5'], ['--seconds', '0'], ['--seconds', 'ten'], ['--unknown']])(
    'refuses %s %s in words',
    (...words) => {
      expect(() => chaosCommand(words, 5)).toThrow(WrongUsage);
    },
  );
});
