import { describe, expect, it } from '@jest/globals';
import { readEvidence } from './evidence-files.js';
import { collectTests, evidencePages, partsWithoutTest } from './evidence.js';
import { parseDocumentation } from './references.js';
import { readText, repositoryFiles } from './sources.js';

const documentation = parseDocumentation(
  new Map([
    ['docs/contract/07-funds-confirmation.md', '# Contract 7: funds confirmation\n'],
    ['docs/rules/2-resources.md', '# Spec 2: resources\n\n## 2.1 Consent\n\n1. One.\n2. Two.\n'],
    ['docs/rules/euro.md', '# Euro\n\n## E4 Payees\n\n| E4.8 | one | a |\n| E4.8a | two | b |\n'],
    ['docs/rules/6-events.md', '# Spec 6: events\n'],
    ['docs/quality.md', '# Quality\n\n## Reliability\n\n1. Debits.\n'],
    ['docs/how-to/archive.md', '# Archive a month\n'],
    ['docs/runbooks/push-fails.md', '# A TPP gets no notifications\n'],
  ]),
);
const tests = collectTests(
  new Map([
    [
      'libs/funds.spec.ts',
      `describe('funds of *one* account (contract 7)', () => {
         it('are compared with the balance', () => {});
         it('need a consent (spec 2.1 rule 2)', () => {});
         it('are in euro (contract E4.8)', () => {});
       });
       describe('a month (docs/how-to/archive.md)', () => { it('is archived', () => {}); });
       describe('a push (docs/runbooks/push-fails.md)', () => { it('is sent again', () => {}); });`,
    ],
  ]),
);

describe('evidence', () => {
  it('lists the test blocks by file under the references that they cite', () => {
    const pages = evidencePages(tests, documentation);
    expect(pages.get('contract-07.md')).toBe(
      [
        '# Contract 7: funds confirmation',
        '`npm run evidence` writes this page from the titles of the tests.',
        '- [funds.spec.ts](../../libs/funds.spec.ts): funds of \\*one\\* account (contract 7)\n',
      ].join('\n\n'),
    );
    expect(pages.get('how-to.md')).toContain(
      '[funds.spec.ts](../../libs/funds.spec.ts): a month (docs/how-to/archive.md)',
    );
    expect(pages.get('how-to.md')).toContain(
      '## [A TPP gets no notifications](../runbooks/push-fails.md)\n\n- [funds.spec.ts]',
    );
    expect(pages.get('euro.md')).toContain(
      '## [E4.8: one](../rules/euro.md)\n\n- [funds.spec.ts](../../libs/funds.spec.ts): are in euro (contract E4.8)',
    );
    expect(pages.get('rules.md')).toContain('funds.spec.ts): need a consent (spec 2.1 rule 2)');
  });

  it('names the rules and invariants that no test cites', () => {
    expect(partsWithoutTest(tests, documentation)).toEqual([
      'spec 2.1 rule 1: 2.1 Consent, rule 1',
      'contract E4.8a: E4.8a: two',
      'spec 6: 6 events',
      'invariant 1: invariant 1',
    ]);
  });
});

describe('docs/evidence', () => {
  const { pages, withoutTest } = readEvidence();

  it('has a test for each contract chapter, each numbered rule and each invariant', () => {
    expect(withoutTest).toEqual([]);
  });

  it('is up to date: run `npm run evidence`', () => {
    const stored = repositoryFiles()
      .filter((file) => file.startsWith('docs/evidence/'))
      .map((file) => [file.slice('docs/evidence/'.length), readText(file)] as const);
    expect(stored.map(([name]) => name).sort()).toEqual([...pages.keys()].sort());
    expect(stored.flatMap(([name, text]) => (pages.get(name) === text ? [] : [name]))).toEqual([]);
  });
});
