import { describe, expect, it } from '@jest/globals';
import { euro } from '@xs2a/domain/payment/standards/euro';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { lev } from '@xs2a/domain/payment/standards/lev';
import { listMethods, parsePaymentPath, routedUrl } from './public-path.js';

const sandbox = { sandbox: true, profile: makeProfile('sandbox') };

describe('public paths (contract 1)', () => {
  it.each([
    ['/v1/consents', '/consents'],
    ['/consent', '/consents'],
    ['/v1/consent/x/status?a=/v1/consent', '/consents/x/status?a=/v1/consent'],
    ['/v1/funds-confirmation?x', '/funds-confirmations?x'],
    ['/funds-confirmations', '/funds-confirmations'],
    ['/v1/payments/p/1', '/payments/p/1'],
    ['/v1/accounts', '/accounts'],
    ['/accounts?x=1', '/accounts?x=1'],
    ['/v1/accounts/', '/accounts'],
    ['/consent/?x=/', '/consents?x=/'],
    ['/v1/payments/p/1/status/?x', '/payments/p/1/status?x'],
    ['/accounts//', '/accounts//'],
    ['/docs/', '/docs/'],
    ['/oauth2/token/', '/oauth2/token/'],
    ['/sandbox/clock/', '/sandbox/clock'],
    ['/v1/sandbox/clock/', '/v1/sandbox/clock/'],
    ['/v1/sandbox/clock', '/v1/sandbox/clock'],
    ['/v1/docs', '/v1/docs'],
    ['/v1/v1/accounts', '/v1/v1/accounts'],
    ['/v1//accounts', '/v1//accounts'],
    ['/V1/accounts', '/V1/accounts'],
    ['/v1', '/v1'],
    ['/', '/'],
    ['', ''],
    ['*', '*'],
    ['/v1/constructor', '/v1/constructor'],
  ])('%s is routed as %s', (url, routed) => {
    expect(routedUrl(url)).toBe(routed);
  });

  it.each([
    [
      '/payments/DOMESTIC-credit-transfer-bgn',
      { service: 'payments', product: 'domestic-credit-transfer-BGN' },
    ],
    [
      '/payments/domestic-credit-transfers-BGN/1',
      { service: 'payments', product: 'domestic-credit-transfer-BGN' },
    ],
    ['/payments/cross-border-transfers', { service: 'payments', product: 'cross-border-credit-transfer' }],
    [
      '/periodic-payments/domestic',
      { service: 'periodic-payments', product: 'domestic-credit-transfer-BGN' },
    ],
    ['/payments/domestic', { service: 'payments' }],
    ['/bulk-payments/x', { service: 'bulk-payments' }],
    ['/payments', undefined],
    ['/consents/x', undefined],
  ])('%s identifies a payment', (path, expected) => {
    expect(parsePaymentPath(path, lev)).toEqual(expected);
  });

  it.each([
    [
      '/periodic-payments/domestic',
      {
        service: 'periodic-payments',
        product: 'SEPA-Credit-Transfer',
        formerProduct: 'domestic-credit-transfer-BGN',
      },
    ],
    ['/payments/domestic-credit-transfers-EUR/1', { service: 'payments', product: 'SEPA-Credit-Transfer' }],
    [
      '/bulk-payments/Domestic-Budget-Transfers-eur',
      { service: 'bulk-payments', product: 'domestic-budget-transfer-EUR' },
    ],
    ['/payments/domestic', { service: 'payments' }],
    ['/payments/target-2-payments', { service: 'payments' }],
    ['/payments/constructor', { service: 'payments' }],
  ])('%s identifies a payment in euro (contract E1.4, E1.6)', (path, expected) => {
    expect(parsePaymentPath(path, euro)).toEqual(expected);
  });

  it.each([
    ['/consents', ['POST', 'GET', 'HEAD', 'OPTIONS']],
    ['/consents/x', ['GET', 'DELETE', 'HEAD', 'OPTIONS']],
    ['/payments/p/1', ['GET', 'DELETE', 'HEAD', 'OPTIONS']],
    ['/consents/', []],
    ['/payments//1', []],
    ['/nothing', []],
    ['/docs', ['GET', 'HEAD', 'OPTIONS']],
  ])('%s offers %j', (path, methods) => {
    expect(listMethods(path, sandbox)).toEqual(methods);
  });

  it('include no path under /sandbox if there is no sandbox', () => {
    expect(listMethods('/sandbox/clock', sandbox)).toEqual(['GET', 'POST', 'HEAD', 'OPTIONS']);
    expect(listMethods('/sandbox/clock', { ...sandbox, sandbox: false })).toEqual([]);
  });

  it('has the path of the verification of payees only in the profiles that have it', () => {
    const path = '/sandbox/vop/v1/payee-verifications';
    expect(listMethods(path, sandbox)).toEqual([]);
    expect(listMethods(path, { ...sandbox, profile: makeProfile('bg-euro') })).toEqual(['POST', 'OPTIONS']);
  });
});
