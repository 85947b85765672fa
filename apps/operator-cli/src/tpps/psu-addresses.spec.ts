import { describe, expect, it } from '@jest/globals';
import { type AddressRow, consentAddresses } from './psu-addresses.js';

const row = (address: string, changes: Partial<AddressRow> = {}): AddressRow => ({
  consentId: 'consent',
  tppId: 'tpp',
  day: '2026-01-01',
  address,
  calls: 1,
  fromTpp: 0,
  ...changes,
});
const listSuspicions = (...rows: readonly AddressRow[]): unknown => consentAddresses(rows)[0]?.suspicions;

describe('suspicious PSU addresses (spec 8, PSU-IP-Address rule 4)', () => {
  it.each([
    '10.1.2.3',
    '172.31.255.1',
    '192.168.1.1',
    '127.0.0.1',
    '169.254.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
  ])('include the private address %s', (address) => {
    expect(listSuspicions(row(address))).toEqual(['private']);
  });

  it.each(['198.51.100.7', '172.32.0.1', '8.8.8.8', '100.128.0.1', '2a00:1450::1'])(
    'do not include %s',
    (address) => {
      expect(listSuspicions(row(address))).toEqual([]);
    },
  );

  it('include an address that the calls themselves came from, since it belongs to the TPP', () => {
    expect(listSuspicions(row('198.51.100.7', { calls: 9, fromTpp: 1 }))).toEqual(['tpp-own']);
  });

  it('include addresses that differ in every call of a day, but not the addresses of a PSU who moves around', () => {
    const addresses = Array.from({ length: 5 }, (_, at) => row(`198.51.100.${at}`));
    expect(listSuspicions(...addresses)).toEqual(['changes-every-call']);
    expect(listSuspicions(...addresses.slice(0, 4))).toEqual([]);
    expect(listSuspicions(...addresses.map((one, at) => ({ ...one, day: `2026-01-0${at + 1}` })))).toEqual(
      [],
    );
    expect(listSuspicions(row('198.51.100.1', { calls: 20 }), ...addresses.slice(2))).toEqual([]);
    expect(listSuspicions(...addresses.slice(0, 4), row('', { calls: 300 }))).toEqual(['changes-every-call']);
  });

  it('are summarised by consent', () => {
    expect(
      consentAddresses([
        row('10.0.0.1', { calls: 2 }),
        row('10.0.0.1', { day: '2026-01-02', calls: 3 }),
        row('198.51.100.7', { consentId: 'other' }),
      ]),
    ).toEqual([
      {
        tppId: 'tpp',
        consentId: 'consent',
        days: 2,
        calls: 5,
        addresses: 1,
        suspicions: ['private'],
        suspicious: ['10.0.0.1'],
      },
      {
        tppId: 'tpp',
        consentId: 'other',
        days: 1,
        calls: 1,
        addresses: 1,
        suspicions: [],
        suspicious: [],
      },
    ]);
  });
});
