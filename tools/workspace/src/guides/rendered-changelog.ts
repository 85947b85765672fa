import { readText } from '../sources.js';
import { renderMarkdown } from './render-guide.js';

/** What TPPs notice of a version. */
interface RenderedVersion {
  /** `0.1.0`, or `Unreleased`. */
  readonly version: string;
  /** HTML, line by line. */
  readonly lines: readonly string[];
}

const file = 'CHANGELOG.md';
const readers = '### For TPPs\n';

/** Returns the lines for TPPs of each version in the changelog, newest first. */
export const renderedChangelog = (): readonly RenderedVersion[] =>
  readText(file)
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const version = /^\[([^\]]+)\]/.exec(section)?.[1];
      const [text] = section.split(readers)[1]?.split(/^### /m) ?? [];
      if (version === undefined || text === undefined) return [];
      return [{ version, lines: renderMarkdown(text, file).lines }];
    });
