import { amountFromMinor } from '../page/amounts.js';

/** The account that the XML examples pay from: of the sandbox's first customer. Another one can be chosen in the preview. */
const exampleDebtor = 'BG25XSBK92001000000001';

const payees = [
  { name: 'Петър Иванов', iban: 'BG26RZBB91551023456789', cents: 1250n, text: 'Фактура 1' },
  { name: 'Petar Ivanov', iban: 'BG26RZBB91551023456789', cents: 2000n, text: 'Invoice 2, March' },
  { name: 'Книжарница „Хеликон“', iban: 'BG26RZBB91551023456789', cents: 3475n, text: 'Книги; абонамент' },
  { name: 'Petar Ivanov', iban: 'BG26RZBB91551023456789', cents: 99n, text: 'Invoice 4' },
  { name: 'Петър Иванов', iban: 'BG26RZBB91551023456789', cents: 10000n, text: 'Фактура 5' },
] as const;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const csvExample = (): string =>
  [
    'creditorName,creditorIban,amount,remittance,endToEndId',
    ...payees.map(({ name, iban, cents, text }, index) =>
      [quoted(name), iban, amountFromMinor(cents), quoted(text), `E2E-${index + 1}`].join(','),
    ),
    '',
  ].join('\r\n');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The two versions write the day and the BIC differently; there is no BIC here. */
const xmlExample = (version: '03' | '09', day: string): string => {
  const total = amountFromMinor(payees.reduce((sum, { cents }) => sum + cents, 0n));
  const entries = payees.map(
    ({ name, iban, cents, text }, index) => `      <CdtTrfTxInf>
        <PmtId><EndToEndId>E2E-${index + 1}</EndToEndId></PmtId>
        <Amt><InstdAmt Ccy="BGN">${amountFromMinor(cents)}</InstdAmt></Amt>
        <Cdtr><Nm>${escaped(name)}</Nm></Cdtr>
        <CdtrAcct><Id><IBAN>${iban}</IBAN></Id></CdtrAcct>
        <RmtInf><Ustrd>${escaped(text)}</Ustrd></RmtInf>
      </CdtTrfTxInf>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}">
  <CstmrCdtTrfInitn>
    <GrpHdr>
      <MsgId>EXAMPLE-1</MsgId>
      <CreDtTm>${day}T09:00:00</CreDtTm>
      <NbOfTxs>${payees.length}</NbOfTxs>
      <CtrlSum>${total}</CtrlSum>
      <InitgPty><Nm>Ivan Petrov</Nm></InitgPty>
    </GrpHdr>
    <PmtInf>
      <PmtInfId>EXAMPLE-1-1</PmtInfId>
      <PmtMtd>TRF</PmtMtd>
      <ReqdExctnDt>${version === '03' ? day : `<Dt>${day}</Dt>`}</ReqdExctnDt>
      <Dbtr><Nm>Ivan Petrov</Nm></Dbtr>
      <DbtrAcct><Id><IBAN>${exampleDebtor}</IBAN></Id></DbtrAcct>
      <DbtrAgt><FinInstnId/></DbtrAgt>
${entries.join('\n')}
    </PmtInf>
  </CstmrCdtTrfInitn>
</Document>
`;
};

const examples: Readonly<Record<string, (day: string) => string>> = {
  'payments.csv': csvExample,
  'payments-pain.001.001.03.xml': (day) => xmlExample('03', day),
  'payments-pain.001.001.09.xml': (day) => xmlExample('09', day),
};

export const exampleNames: readonly string[] = Object.keys(examples);

/** An example to download, to be paid on a day; undefined: none has this name. */
export const exampleFile = (name: string, day: string): string | undefined =>
  Object.hasOwn(examples, name) ? examples[name]?.(day) : undefined;
