import { describe, expect, it } from '@jest/globals';
import { receiverProblem, receiverRules } from './notification-receivers.js';

const problem = (
  uri: string,
  settings: Partial<Parameters<typeof receiverRules>[0]> = {},
): string | undefined =>
  receiverProblem(
    new URL(uri),
    receiverRules({ SANDBOX: true, BASE_URL: 'https://sandbox.bank.example', ...settings }),
  );

describe('the address of a notification (contract 11)', () => {
  it('may be any address only if the sandbox runs on a loopback host', () => {
    const uri = 'http://127.0.0.1:8090/push';
    for (const BASE_URL of [
      'http://127.0.0.1:8080',
      'https://localhost:8443',
      'http://[::1]:8080',
      'http://127.0.0.2',
    ])
      expect(problem(uri, { BASE_URL })).toBeUndefined();
    for (const BASE_URL of [
      'https://xs2a.bank.example',
      'http://10.0.0.5:8080',
      'https://127.0.0.1.bank.example',
    ])
      expect(problem(uri, { BASE_URL })).toBe('the address is not https');
    expect(problem(uri, { SANDBOX: false, BASE_URL: 'https://127.0.0.1' })).toBe('the address is not https');
  });

  it.each([
    'https://127.0.0.1/x',
    'https://127.1/x',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0/',
    'https://localhost/',
    'https://a.localhost/',
    'https://localhost./',
    'https://10.0.0.5/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest',
    'https://192.0.0.8/',
    'https://192.0.2.1/',
    'https://224.0.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://[ff02::1]/',
    'https://[::ffff:10.0.0.5]/',
    'https://[64:ff9b::10.0.0.5]/',
    'https://[2002:a00:5::1]/',
    'https://[2001:db8::1]/',
  ])('may not be %s', (uri) => {
    expect(problem(uri)).toBe('the host has an address that is not public');
  });

  it('may use port 443 and any other port that the bank configures', () => {
    expect(problem('https://tpp.example/push')).toBeUndefined();
    expect(problem('https://tpp.example:443/push')).toBeUndefined();
    expect(problem('https://tpp.example:8443/push')).toBe('the port is not allowed');
    expect(problem('https://tpp.example:8443/push', { NOTIFICATION_PORTS: [8443, 9443] })).toBeUndefined();
    expect(problem('https://tpp.example:80/push', { NOTIFICATION_PORTS: [8443] })).toBe(
      'the port is not allowed',
    );
  });

  it('may be a public address', () => {
    expect(problem('https://93.184.215.14/push')).toBeUndefined();
    expect(problem('https://[2606:4700::1]/push')).toBeUndefined();
  });
});
