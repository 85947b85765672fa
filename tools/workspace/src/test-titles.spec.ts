import { describe, expect, it } from '@jest/globals';
import { testTitles } from './test-titles.js';

describe('the titles of a spec file', () => {
  it('list each test below its blocks, in order', () => {
    expect(
      testTitles(`
        describe('a payment (contract 8)', () => {
          beforeAll(async () => {});
          it('is signed once', () => {});
          describe("that's late", () => {
            test(\`is refused\`, async () => {}, 60_000);
          });
        });
        it('stands by itself', () => {});
      `),
    ).toEqual([
      ['a payment (contract 8)', 'is signed once'],
      ['a payment (contract 8)', "that's late", 'is refused'],
      ['stands by itself'],
    ]);
  });

  it('stay as written if they depend on rows or values', () => {
    expect(
      testTitles(`
        describe.each(products)('of %s', (product) => {
          it.each([[1, 'it("no title")'], [2, 'two']])('row %d: %s', () => {});
          it.each\`a | b\${1} | \${2}\`('$a and $b', () => {});
          it(\`takes \${limit} at most, \` + 'and no more', () => {});
        });
      `),
    ).toEqual([
      ['of %s', 'row %d: %s'],
      ['of %s', '$a and $b'],
      ['of %s', 'takes ${limit} at most, and no more'],
    ]);
  });

  it('are not taken from comments, strings or other calls', () => {
    expect(
      testTitles(`
        // it('is commented out', () => {});
        const source = "it('is in a text', () => {})";
        audit.it('is a method', () => {});
        it(title, () => {});
      `),
    ).toEqual([]);
  });
});
