import { describe, expect, it } from '@jest/globals';
import { exampleCsv } from './bulk-file.js';
import { readCsvFile } from './csv-file.js';

const payee = 'BG26RZBB91551023456789';
const read = (text: string) => readCsvFile(new TextEncoder().encode(text));
/** Lists faults such as `3 1 amount amount`: line, entry index from 0, field, fault. */
const listFaults = (text: string): string[] =>
  read(text).faults.map(({ line, entry, field, fault }) =>
    [line, entry, field, fault].map((part) => part ?? '-').join(' '),
  );
const header = 'creditorName,creditorIban,amount,remittance,endToEndId';

describe('a bulk payment from CSV (RFC 4180, with the columns listed on the upload page)', () => {
  it('is read from the example file without faults', () => {
    const { entries, faults } = read(exampleCsv);
    expect(faults).toEqual([]);
    expect(entries.map(({ line, amount, remittance }) => [line, amount, remittance])).toEqual([
      [2, '12.50', 'Фактура 1'],
      [3, '20.00', 'Invoice 2, March'],
      [4, '34.75', 'Книги; абонамент'],
      [5, '0.99', 'Invoice 4'],
      [6, '100.00', 'Фактура 5'],
    ]);
  });

  it('may have its columns in any order, a semicolon as separator, a byte order mark, a decimal comma, and a grouped IBAN', () => {
    const { entries, faults } = read(
      `\ufeffAmount;remittance;creditorIban;creditorName\r\n12,50;One;BG26 RZBB 9155 1023 4567 89;Петър\r\n1;Two;${payee};"Иван ""Ваньо""; и син"\r\n`,
    );
    expect(faults).toEqual([]);
    expect(entries).toMatchObject([
      { amount: '12.50', remittance: 'One', creditorIban: payee, creditorName: 'Петър', endToEndId: '' },
      { amount: '1.00', creditorName: 'Иван "Ваньо"; и син' },
    ]);
  });

  it('has every fault reported with the line on which its entry begins', () => {
    const faults = listFaults(
      [
        header,
        `Petar,${payee},12.50,One,`,
        '',
        `"Petar`,
        `Ivanov",${payee},0,Two,`,
        `,BG27RZBB91551023456789,12.345,${'x'.repeat(141)},${'y'.repeat(36)}`,
        `Petar,${payee},1e3,Four,,more`,
        'Petar',
      ].join('\n'),
    );
    expect(faults).toEqual([
      '4 1 creditorName characters',
      '4 1 amount amount',
      '6 2 endToEndId too-long',
      '6 2 creditorName missing',
      '6 2 creditorIban iban',
      '6 2 amount amount',
      '6 2 remittance too-long',
      '7 3 - too-many-fields',
      '7 3 amount amount',
      '8 4 creditorIban missing',
      '8 4 amount missing',
      '8 4 remittance missing',
    ]);
  });

  it.each([
    ['nothing', '', ['- - - empty']],
    ['only a header', header, ['- - - too-few']],
    ['a missing column', `creditorName,amount\na,1\nb,2`, ['1 - - columns']],
    ['a duplicate column', `${header},amount`, ['1 - - columns']],
    ['an unknown column', `${header},bic\n`, ['- - - too-few', '1 - - unknown-column']],
    ['an unterminated quote', `${header}\n"Petar,1`, ['2 - - not-well-formed']],
    ['a quote inside a field', `${header}\na"b,1`, ['2 - - not-well-formed']],
  ])('%s', (_name, text, faults) => {
    expect(listFaults(text)).toEqual(faults);
  });

  it('is not read if the file is not valid UTF-8 or is larger than 512 KB', () => {
    expect(readCsvFile(Uint8Array.of(0xcf, 0xe5, 0xf2)).faults).toEqual([{ fault: 'not-utf8' }]);
    expect(readCsvFile(new Uint8Array(512 * 1024 + 1)).faults).toEqual([{ fault: 'too-large' }]);
  });

  it('may have at most 250 entries; the 251st is reported as a fault with its line number', () => {
    const file = (count: number): string =>
      [header, ...Array.from({ length: count }, (_, index) => `Petar,${payee},1.00,Invoice,E${index}`)].join(
        '\n',
      );
    expect([read(file(250)).entries.length, listFaults(file(250))]).toEqual([250, []]);
    expect([read(file(251)).entries.length, listFaults(file(251))]).toEqual([250, ['252 - - too-many']]);
    expect(listFaults(file(1))).toEqual(['- - - too-few']);
  });
});
