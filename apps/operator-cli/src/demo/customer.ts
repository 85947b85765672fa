import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Customer } from './stage.js';

/** Reads the codes that the bank sent to the customer from the demo's standard input, one per line. */
const codesTyped = (): (() => Promise<string>) => {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  return async () => {
    console.log('     The bank has sent a one-time code to the customer. Type it:');
    const line = await lines.next();
    if (line.done === true) throw new Error('No one-time code was entered.');
    return line.value.trim();
  };
};

/**
 * Reads a customer of the bank's core system from a JSON file with psuId, password and iban (an account in BGN).
 * Throws a one-line error that names any missing value.
 */
export const readCustomer = (file: string): Customer => {
  const given = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>;
  const readText = (name: string): string => {
    const value = given[name];
    if (typeof value === 'string' && value !== '') return value;
    throw new Error(`${file} lacks ${name}.`);
  };
  return {
    psuId: readText('psuId'),
    password: readText('password'),
    iban: readText('iban'),
    otp: codesTyped(),
  };
};
