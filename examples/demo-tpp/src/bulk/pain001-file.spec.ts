import { describe, expect, it } from '@jest/globals';
import { exampleFile } from './examples.js';
import { readBulkFile } from './read-bulk-file.js';

const example = (version: string): string =>
  exampleFile(`payments-pain.001.001.${version}.xml`, '2027-01-31') ?? '';
const read = (text: string) => readBulkFile(new TextEncoder().encode(text));
/** `3 1 amount amount`: line, entry from 0, field, fault. */
const listFaults = (text: string): string[] =>
  read(text).faults.map(({ line, entry, field, fault }) =>
    [line, entry, field, fault].map((part) => part ?? '-').join(' '),
  );
const countLine = (text: string, part: string): number =>
  text.slice(0, text.indexOf(part)).split('\n').length;

describe.each(['03', '09'])('a bulk from pain.001.001.%s (ISO 20022)', (version) => {
  const text = example(version);

  it('the example is read without a fault, with what it says of all its entries', () => {
    const file = read(text);
    expect(file).toMatchObject({
      faults: [],
      debtorIban: 'BG25XSBK92001000000001',
      executionDate: '2027-01-31',
      batchBooking: false,
    });
    expect(file.entries).toHaveLength(5);
    expect(file.entries[1]).toEqual({
      line: countLine(text, '<EndToEndId>E2E-2') - 1,
      creditorName: 'Petar Ivanov',
      creditorIban: 'BG26RZBB91551023456789',
      amount: '20.00',
      currency: 'BGN',
      remittance: 'Invoice 2, March',
      endToEndId: 'E2E-2',
      serviceLevel: 'NURG',
    });
  });

  it('a prefix, carriage returns, comments, CDATA and character references mean the same', () => {
    const prefixed = text
      .replaceAll(/<(\/?)([A-Z])/g, '<$1p:$2')
      .replace('xmlns=', 'xmlns:p=')
      .replace('Invoice 4', '<![CDATA[Invoice]]> &#52;<!-- four -->')
      .replaceAll('\n', '\r\n');
    expect(read(prefixed)).toEqual(read(text));
  });

  it('urgent entries, a booking in one, several texts, and no reference of one’s own', () => {
    const file = read(
      text
        .replace(
          '</PmtMtd>',
          '</PmtMtd><BtchBookg>true</BtchBookg><PmtTpInf><SvcLvl><Cd>URGP</Cd></SvcLvl></PmtTpInf>',
        )
        .replace('E2E-1<', 'NOTPROVIDED<')
        .replace('</Ustrd>', '</Ustrd><Ustrd>two</Ustrd>'),
    );
    expect([file.faults, file.batchBooking]).toEqual([[], true]);
    expect(file.entries[0]).toMatchObject({
      serviceLevel: 'URGP',
      endToEndId: '',
      remittance: 'Фактура 1 two',
    });
  });

  it('every fault is told, with the line of its entry', () => {
    const third = countLine(text, '<EndToEndId>E2E-3') - 1;
    const broken = text
      .replace('34.75</InstdAmt>', '34,75</InstdAmt>')
      .replace('Ccy="BGN">0.99', 'Ccy="EUR">0.99')
      .replace('<Nm>Книжарница „Хеликон“</Nm>', '<Nm> </Nm>')
      .replace('TRF', 'CHK')
      .replaceAll('2027-01-31<', 'tomorrow<')
      .replace('BG25XSBK92001000000001', 'BG26XSBK92001000000001')
      .replace('<NbOfTxs>5', '<NbOfTxs>6')
      .replace('<CtrlSum>168.24', '<CtrlSum>168.25');
    expect(listFaults(broken)).toEqual([
      `${countLine(broken, '<NbOfTxs>')} - - count-differs`,
      `${countLine(broken, '<CtrlSum>')} - - sum-differs`,
      `${countLine(broken, '<PmtMtd>')} - - not-a-transfer`,
      `${countLine(broken, '<ReqdExctnDt>')} - executionDate date`,
      `${countLine(broken, '<DbtrAcct>')} - debtorIban iban`,
      `${third} 2 creditorName missing`,
      `${third} 2 amount amount`,
      `${third + 7} 3 amount currency`,
    ]);
  });
});

describe('what is not read as a bulk', () => {
  const text = example('09');
  const laughs = `<!DOCTYPE Document [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(100)}">]>`;

  it.each([
    ['a document type', text.replace('<Document', '<!DOCTYPE Document><Document'), '- - - document-type'],
    [
      'entities of one’s own',
      text.replace('<Document', `${laughs}<Document`).replace('Invoice 4', '&b;'),
      `${countLine(text, 'Invoice 4')} - - not-well-formed`,
    ],
    [
      'an external entity',
      text.replace('<Document', '<!DOCTYPE Document SYSTEM "file:///etc/passwd"><Document'),
      '- - - document-type',
    ],
    [
      'another message',
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.008.001.02"/>',
      '1 - - not-pain001',
    ],
    ['another version', text.replace('pain.001.001.09', 'pain.001.001.02'), '1 - - not-pain001'],
    ['no namespace', text.replace(/ xmlns="[^"]*"/, ''), '1 - - not-pain001'],
    [
      'two blocks',
      text.replace('</PmtInf>', '</PmtInf>\n<PmtInf/>'),
      `${countLine(text, '</PmtInf>') + 1} - - one-block`,
    ],
    [
      'an end that is missing',
      text.replace('</PmtInf>', ''),
      `${countLine(text, '</PmtInf>') + 1} - - not-well-formed`,
    ],
    ['a depth that nobody means', '<a>'.repeat(100_000), '- - - not-well-formed'],
  ])('%s', (_name, broken, fault) => {
    expect([listFaults(broken), read(broken).entries]).toEqual([[fault], []]);
  });

  it('an account that is nested at any depth: its text, or a file that is not read', () => {
    for (let depth = 1; depth < 50_000; depth = Math.ceil(depth * 1.2)) {
      const nested = `${'<a>'.repeat(depth)}BG26RZBB91551023456789${'</a>'.repeat(depth)}`;
      const file = read(text.replace('BG26RZBB91551023456789', nested));
      expect([5, 0]).toContain(file.entries.length);
      expect(file.faults.length).toBe(file.entries.length === 5 ? 0 : 1);
    }
  });
});
