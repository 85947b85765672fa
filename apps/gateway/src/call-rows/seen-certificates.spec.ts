import { describe, expect, it } from '@jest/globals';
import type { Presented } from '@xs2a/qwac/client-certificates';
import type { Qwac } from '@xs2a/qwac/qwac';
import type { Caller } from '../checks/token/callers.js';
import { certificateEnd } from './seen-certificates.js';

const qwac = { organizationIdentifier: 'PSDBG-BNB-1', validTo: 1_800_000_000_999 } as Qwac;
const valid: Presented = { der: new Uint8Array(), qwac };
const callerOf = (organizationIdentifier: string | undefined): Caller =>
  ({ tpp: { organizationIdentifier } }) as Caller;

describe('the end of the certificate of a call', () => {
  it.each<readonly [string, Presented | undefined, Caller | undefined, number | undefined]>([
    ['is known of a certificate of the caller', valid, callerOf('PSDBG-BNB-1'), qwac.validTo],
    [
      'is known after it has ended',
      { refusal: 'expired', outOfTime: qwac },
      callerOf('PSDBG-BNB-1'),
      qwac.validTo,
    ],
    ['is not known of another organisation', valid, callerOf('PSDBG-BNB-2'), undefined],
    ['is not known of a TPP that was registered without one', valid, callerOf(undefined), undefined],
    ['is not known of an untrusted one', { refusal: 'issuerUnknown' }, callerOf(undefined), undefined],
    ['is not known without a certificate', undefined, callerOf(undefined), undefined],
    ['is not known without a caller', valid, undefined, undefined],
  ])('%s', (_title, clientCertificate, caller, end) => {
    expect(certificateEnd({ clientCertificate, caller })).toBe(end);
  });
});
