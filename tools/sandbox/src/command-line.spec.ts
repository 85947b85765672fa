import { describe, expect, it } from '@jest/globals';
import { readWishes } from './command-line.js';

describe('npm start', () => {
  it('starts the sandbox profile on 8080 with persistent data by default', () => {
    expect(readWishes([])).toEqual({
      reset: false,
      port: 8080,
      profile: 'sandbox',
      authProfile: 'oauth2',
      demoTpp: true,
      observability: false,
    });
  });

  it('accepts all its options', () => {
    const args = ['--reset', '--port', '9000', '--profile', 'production', '--no-demo-tpp', '--observability'];
    expect(readWishes(args)).toEqual({
      reset: true,
      port: 9000,
      profile: 'production',
      authProfile: 'oauth2',
      demoTpp: false,
      observability: true,
    });
  });

  it.each(['bg-euro', 'bg-euro-production'])('starts a bank in euro with the profile %s', (profile) => {
    expect(readWishes(['--profile', profile])).toMatchObject({ profile });
  });

  it('runs under FAPI 2.0 without the demo TPP', () => {
    expect(readWishes(['--auth-profile', 'fapi2'])).toMatchObject({ authProfile: 'fapi2', demoTpp: false });
  });

  it('accepts a port for the demo TPP and the address of the bank’s own core system', () => {
    const coreBank = 'nats://bank:a-password@127.0.0.1:4222';
    expect(readWishes(['--demo-port', '9090', '--core-bank', coreBank])).toMatchObject({
      demoPort: 9090,
      coreBank,
    });
  });

  it('makes one service listen for a debugger, or lists all services if the name is unknown', () => {
    expect(readWishes(['--inspect', 'payments']).inspect).toBe('payments');
    expect(readWishes([]).inspect).toBeUndefined();
    expect(() => readWishes(['--inspect', 'postgres'])).toThrow(/accounts, .*gateway/);
  });

  it.each([
    [['--demo-port', 'x'], /--demo-port/],
    [['--demo-port', '8080'], /--demo-port/],
    [['--demo-port', '9090', '--no-demo-tpp'], /--demo-port/],
    [['--core-bank', 'http://127.0.0.1:4222'], /--core-bank/],
    [['--core-bank', 'nats://'], /--core-bank/],
    [['--port', '0'], /--port/],
    [['--port', '65536'], /--port/],
    [['--port', 'http'], /--port/],
    [['--profile', 'staging'], /--profile/],
    [['--auth-profile', 'fapi1'], /--auth-profile/],
    [['--resett'], /--resett/],
  ])('reports the error in %j', (args, message) => {
    expect(() => readWishes(args)).toThrow(message);
  });
});
