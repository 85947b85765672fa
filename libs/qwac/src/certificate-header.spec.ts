import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  certificateForms,
  certificateIn,
  clientCertValue,
  type CertificateForm,
} from './certificate-header.js';

const der = Buffer.from('a certificate, as far as a header is concerned: any bytes do');
const base64 = der.toString('base64');
const pem = `-----BEGIN CERTIFICATE-----\n${base64.slice(0, 64)}\n${base64.slice(64)}\n-----END CERTIFICATE-----\n`;
const escaped = encodeURIComponent(pem);

const right: Readonly<Record<CertificateForm, readonly string[]>> = {
  'escaped-pem': [escaped, escaped.replaceAll('%0A', '%0D%0A'), encodeURI(pem).replaceAll('+', '%2B')],
  xfcc: [
    `Cert="${escaped}"`,
    `By=spiffe://bank;Hash=abc;Cert="${escaped}";Subject="CN=a,O=b;Cert";URI=spiffe://tpp`,
  ],
  'client-cert': [clientCertValue(der)],
  'base64-der': [base64],
};
const wrong: Readonly<Record<CertificateForm, readonly string[]>> = {
  'escaped-pem': [
    pem.replaceAll('\n', ' '),
    base64,
    escaped + escaped,
    `${escaped}%2`,
    '%ff',
    `x${escaped}`,
    `${escaped}x`,
  ],
  xfcc: [
    escaped,
    `Cert="${escaped}",Cert="${escaped}"`,
    `Cert="${escaped}";Cert="${escaped}"`,
    `Hash=abc,By=x;Cert="${escaped}"`,
    `Subject="Cert=${escaped}"`,
    `Hash=abc`,
    `XCert="${escaped}"`,
    `Cert=${escaped}`,
  ],
  'client-cert': [
    base64,
    `:${base64}`,
    `${clientCertValue(der)}, ${clientCertValue(der)}`,
    '::',
    `:${base64}=:`,
  ],
  'base64-der': [
    `${base64}, ${base64}`,
    `${base64}=`,
    base64.slice(0, -1),
    `-${base64.slice(1)}`,
    `:${base64}:`,
  ],
};

describe('a certificate in a header', () => {
  it.each(certificateForms)(
    'is found in the form %s if that form is expected, and otherwise ignored',
    (form) => {
      for (const text of right[form]) expect(certificateIn(text, form)).toEqual(der);
      for (const text of [...wrong[form], '', ' ', '-', '(null)', 'undefined'])
        expect([text, certificateIn(text, form)]).toEqual([text, undefined]);
      for (const other of certificateForms.filter((one) => one !== form))
        for (const text of right[other]) expect(certificateIn(text, form)).toBeUndefined();
    },
  );

  it.each(certificateForms)('is ignored in the form %s if it is oversized', (form) => {
    const large = Buffer.alloc(8193, 1);
    const largePem = `-----BEGIN CERTIFICATE-----\n${large.toString('base64')}\n-----END CERTIFICATE-----\n`;
    const texts: Readonly<Record<CertificateForm, string>> = {
      'escaped-pem': encodeURIComponent(largePem),
      xfcc: `Cert="${encodeURIComponent(largePem)}"`,
      'client-cert': clientCertValue(large),
      'base64-der': large.toString('base64'),
    };
    expect(certificateIn(texts[form], form)).toBeUndefined();
    expect(certificateIn('A'.repeat(1_000_000), form)).toBeUndefined();
  });

  it('is parsed or refused, and never causes an exception (property, 10,000 runs per form)', () => {
    for (const form of certificateForms)
      fc.assert(
        fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
          const found = certificateIn(text, form);
          expect(found === undefined || found.length > 0).toBe(true);
        }),
        { numRuns: 10_000 },
      );
  });
});
