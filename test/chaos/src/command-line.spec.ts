import { describe, expect, it } from '@jest/globals';
import { chaosCommand, fileToSum, WrongUsage } from './command-line.js';

describe('npm run chaos', () => {
  it('accepts a seed, a duration and the form of the run, each with a default', () => {
    expect(chaosCommand([], 5)).toEqual({
      seed: 5,
      seconds: 60,
      cluster: false,
      profile: 'sandbox',
      payers: 5,
      twoReleases: false,
      json: false,
    });
    expect(
      chaosCommand(
        [
          '--seed',
          '0',
          '--seconds',
          '3600',
          '--cluster',
          '--profile',
          'bg-euro',
          '--clients',
          '40',
          '--stream-mb',
          '4',
          '--json',
          '--keep',
          'x',
          '--append-to',
          'runs',
          '--two-releases',
        ],
        5,
      ),
    ).toEqual({
      seed: 0,
      seconds: 3600,
      cluster: true,
      profile: 'bg-euro',
      payers: 40,
      streamMegabytes: 4,
      json: true,
      keepIn: 'x',
      twoReleases: true,
      appendTo: 'runs',
    });
  });

  it('adds up the runs recorded in a given file instead of starting a run', () => {
    expect([fileToSum(['--sum', 'runs']), fileToSum(['--seed', '1'])]).toEqual(['runs', undefined]);
  });

  it.each([
    ['--seed', '-1'],
    ['--seed', '1.5'],
    ['--seconds', '0'],
    ['--seconds', 'ten'],
    ['--clients', '0'],
    ['--stream-mb', '3'],
    ['--profile', 'production'],
    ['--unknown'],
  ])('refuses %s %s with an error message', (...words) => {
    expect(() => chaosCommand(words, 5)).toThrow(WrongUsage);
  });
});
