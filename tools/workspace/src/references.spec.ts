import { describe, expect, it } from '@jest/globals';
import { dirname, join, normalize } from 'node:path';
import {
  anchorLinksIn,
  listAnchors,
  citationsIn,
  deadCitations,
  parseDocumentation,
  pagesNamedIn,
} from './references.js';
import { repositoryFiles, readText } from './sources.js';

const files = repositoryFiles();
const isText = (file: string): boolean => /\.(?:ts|mjs|js|py|md|json|ya?ml|sql|conf|sh)$/.test(file);
/** False for these tests, whose fixtures cite targets that do not exist. */
const isChecked = (file: string): boolean =>
  isText(file) && !/(?:references(?:\.spec)?|decisions-index\.spec)\.ts$|package-lock\.json$/.test(file);
const checked = files.filter(isChecked);
const pages = new Map(files.filter((file) => file.endsWith('.md')).map((file) => [file, readText(file)]));
const documentation = parseDocumentation(new Map([...pages].filter(([path]) => path.startsWith('docs/'))));

/** A small set of documentation with valid and dead references. */
const fixture = parseDocumentation(
  new Map([
    ['docs/contract/04-oauth.md', '# Contract 4: OAuth 2.0\n'],
    [
      'docs/rules/2-resources.md',
      '# Spec 2: resources\n\n## 2.1 Consent\n\n1. One.\n2. Two.\n\n## 2.4 Payment\n',
    ],
    ['docs/adr/0034-settlement.md', '# 34. Settlement\n'],
    ['docs/architecture.md', '# Architecture\n\n## Event store\n\n1. **Append.** Text.\n'],
    ['docs/quality.md', '# Quality\n\n## Reliability\n\nNo request hangs.\n\n1. Debits.\n2. Holds.\n'],
  ]),
);
const targets = (text: string): string[] => citationsIn(text).map(({ target }) => target);

describe('a citation', () => {
  it('is recognised in each of its forms', () => {
    expect(targets('contract E2.5, E3 and E3.2 to E3.4, E4.8a')).toEqual(
      ['E2.5', 'E3', 'E3.2', 'E3.3', 'E3.4', 'E4.8a'].flatMap((rule) => [
        rule.startsWith('E4') ? 'contract 15' : 'contract 14',
        `contract ${rule}`,
      ]),
    );
    expect(targets('(contract 13, E8.2)')).toEqual(['contract 13', 'contract 14', 'contract E8.2']);
    expect(targets('contract 8, 10; spec 3.1 to 3.3, contract 9 and 11')).toEqual([
      'contract 8',
      'contract 10',
      'spec 3.1',
      'spec 3.2',
      'spec 3.3',
      'contract 9',
      'contract 11',
    ]);
    expect(targets('/** Rules (spec\n * 2.1 rule 2), specification 2.4, contract part 3. */')).toEqual([
      'spec 2.1',
      'spec 2.1 rule 2',
      'spec 2.4',
      'contract 3',
    ]);
    expect(
      targets('ADR 34, ADR 7; (quality, invariants 4 to 6) (architecture, Event store 1 and 6)'),
    ).toEqual([
      'adr 34',
      'adr 7',
      'invariant 4',
      'invariant 5',
      'invariant 6',
      'architecture event store',
      'architecture event store 1',
      'architecture event store 6',
    ]);
  });

  it('is not seen in a number that follows the word `contract` or `spec` by chance', () => {
    expect(targets('the contract; 20 authorisations, spec files in 4 lanes, { quality: 3 }')).toEqual([]);
  });

  it.each([
    'contract 4',
    'spec 2',
    'spec 2.1 rule 2',
    'ADR 34',
    'invariant 2',
    '(architecture, Event store 1)',
    '(quality: "no request hangs")',
  ])('such as %s leads to a page', (text) => {
    expect(deadCitations(text, fixture)).toEqual([]);
  });

  it.each([
    ['contract 5', 'contract 5'],
    ['contract 4 to 6', 'contract 6'],
    ['spec 2.2', 'spec 2.2'],
    ['spec 2.1 rule 3', 'spec 2.1 rule 3'],
    ['ADR 35', 'adr 35'],
    ['invariant 3', 'invariant 3'],
    ['(architecture, Event store 2)', 'architecture event store 2'],
    ['(architecture, The edge)', 'architecture the edge'],
    ['(quality: "all is well")', 'quality all is well'],
  ])('such as %s is dead if no page contains it', (text, target) => {
    expect(deadCitations(text, fixture).join()).toContain(`cites ${target},`);
  });
});

describe('references in the repository', () => {
  it('are found in large numbers', () => {
    expect(checked.flatMap((file) => citationsIn(readText(file))).length).toBeGreaterThan(800);
  });

  it('to the contract, rules, decisions, invariants and sections lead to a heading', () => {
    expect(
      checked.flatMap((file) =>
        deadCitations(readText(file), documentation).map((dead) => `${file}: ${dead}`),
      ),
    ).toEqual([]);
  });

  it('in page links lead to an existing heading', () => {
    expect(
      [...pages].flatMap(([file, page]) =>
        anchorLinksIn(page)
          .filter(({ to, anchor }) => {
            const target = to === '' ? page : pages.get(normalize(join(dirname(file), to)));
            return target !== undefined && !listAnchors(target).has(decodeURIComponent(anchor));
          })
          .map(({ to, anchor }) => `${file} links to ${to}#${anchor}`),
      ),
    ).toEqual([]);
  });

  it('by page name lead to an existing file', () => {
    expect(
      checked.flatMap((file) =>
        pagesNamedIn(readText(file))
          .filter((named) => !files.some((path) => path === named || path.endsWith(`/${named}`)))
          .map((named) => `${file} names ${named}`),
      ),
    ).toEqual([]);
  });
});
