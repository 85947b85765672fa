import { collectTests, evidencePages, partsWithoutTest } from './evidence.js';
import { parseDocumentation } from './references.js';
import { readText, repositoryFiles } from './sources.js';

const readAll = (files: readonly string[]): ReadonlyMap<string, string> =>
  new Map(files.map((file) => [file, readText(file)]));

/** Reads the tests and documents in the repository. */
export const readEvidence = (): {
  readonly pages: ReadonlyMap<string, string>;
  readonly withoutTest: readonly string[];
} => {
  const files = repositoryFiles();
  const tests = collectTests(readAll(files.filter((file) => file.endsWith('.spec.ts'))));
  const documentation = parseDocumentation(
    readAll(files.filter((file) => /^docs\/(?!evidence\/).*\.md$/.test(file))),
  );
  return {
    pages: evidencePages(tests, documentation),
    withoutTest: partsWithoutTest(tests, documentation),
  };
};
