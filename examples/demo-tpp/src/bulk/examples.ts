import { amountFromMinor } from '../page/amounts.js';

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

export const exampleNames: readonly string[] = ['payments.csv'];

/** An example to download; undefined: there is none with this name. */
export const exampleFile = (name: string): string | undefined =>
  exampleNames.includes(name) ? csvExample() : undefined;
