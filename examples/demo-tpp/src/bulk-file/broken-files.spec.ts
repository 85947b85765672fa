import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Html } from '@xs2a/html/html';
import { markets } from '../bank/market.js';
import { Sessions } from '../page/session.js';
import { previewPage } from '../routes/bulk-preview.js';
import { exampleCsv, maxEntries, minEntries } from './bulk-file.js';
import { readCsvFile } from './csv-file.js';

const runs = 3000;
const entered = { debtorIban: '', executionDate: '', batchBooking: false };
const visit = {
  market: markets.BGN,
  session: new Sessions({ nowMs: () => 0 }).begin().session,
  path: '/bulks/preview',
};

/** Damage to a file: part of it is removed, repeated, or overwritten with bytes that are special to a parser. */
interface Damage {
  readonly at: number;
  readonly length: number;
  readonly kind: 'cut' | 'repeat' | 'write';
  readonly bytes: Uint8Array;
}
const markup = fc.constantFrom(
  '"',
  ';',
  ',',
  '\n',
  '\r',
  '<',
  '</',
  '&',
  '&#0;',
  '&x;',
  '<!DOCTYPE a>',
  '<![CDATA[',
  ']]>',
  '-',
  '\u0000',
  '\u202e',
  '\ufeff',
  '😀',
  '__proto__',
  '9'.repeat(40),
);
const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat({ max: 4000 }),
  length: fc.nat({ max: 200 }),
  kind: fc.constantFrom('cut', 'repeat', 'write'),
  bytes: fc.oneof(
    markup.map((text) => new TextEncoder().encode(text)),
    fc.uint8Array({ maxLength: 6 }),
  ),
});
const apply = (file: Uint8Array, { at, length, kind, bytes }: Damage): Uint8Array => {
  const from = at % (file.length + 1);
  const part = file.subarray(from, from + length);
  const between = { cut: [], repeat: [part, part], write: [bytes] }[kind];
  const rest = file.subarray(kind === 'write' ? from + bytes.length : from + part.length);
  return Uint8Array.from(Buffer.concat([file.subarray(0, from), ...between, rest]));
};

describe('a CSV file damaged in any way (contract 9)', () => {
  const whole = new TextEncoder().encode(exampleCsv);

  it(`results in reported faults or in valid entries, and can be shown on a page: ${runs} times`, () => {
    let faulty = 0;
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (all) => {
        const bytes = all.reduce(apply, whole);
        const file = readCsvFile(bytes);
        const lines = Buffer.from(bytes)
          .toString('utf8')
          .split(/\r\n?|\n/).length;
        for (const { line, entry } of file.faults) {
          if (line !== undefined) expect(line >= 1 && line <= lines).toBe(true);
          if (entry !== undefined) expect(file.entries[entry]).toBeDefined();
        }
        if (file.faults.length === 0) {
          expect(file.entries.length).toBeGreaterThanOrEqual(minEntries);
          expect(file.entries.length).toBeLessThanOrEqual(maxEntries);
          for (const { creditorName, remittance } of file.entries) {
            expect(creditorName).toMatch(/^[^\p{Cc}]{1,70}$/u);
            expect(remittance).toMatch(/^[^\p{Cc}]{1,140}$/u);
          }
        } else faulty += 1;
        expect(previewPage(visit, { name: 'payments.csv', file }, entered).html).toBeInstanceOf(Html);
      }),
      { numRuns: runs },
    );
    // Much of the damage must be detected; otherwise the test would mostly read undamaged files.
    expect(faulty).toBeGreaterThan(runs / 3);
  });
});

describe('bytes that were never a payment file (contract 9)', () => {
  it(`are always reported as faults: ${runs} times`, () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc.string().map((text) => Buffer.from(`<${text}`)),
        ),
        (bytes) => {
          expect(readCsvFile(bytes).faults.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: runs },
    );
  });
});
