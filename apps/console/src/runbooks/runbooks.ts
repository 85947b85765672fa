import type { Html } from '@xs2a/html/html';
import { root } from '@xs2a/runtime/release';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderMarkdown } from './markdown.js';

/** The page of the release with this name, such as `push-fails`. */
interface Runbook {
  readonly title: string;
  readonly text: string;
}

/** The runbooks of the release, which its image contains. The name of their list is `README`. */
const folder = join(root, 'docs/runbooks');
const runbooks: ReadonlyMap<string, Runbook> = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => {
      const [heading = '', ...lines] = readFileSync(join(folder, file), 'utf8').split('\n');
      return [file.slice(0, -3), { title: heading.replace(/^# /, ''), text: lines.join('\n') }];
    }),
);

/** The list of all runbooks. */
export const listName = 'README';

export const runbookPath = (name: string): string => (name === listName ? '/runbooks' : `/runbooks/${name}`);

/** Returns the title of a runbook, or its name if the release has none with it. */
export const runbookTitle = (name: string): string => runbooks.get(name)?.title ?? name;

/** Returns a runbook as a page; undefined if the release has none with this name. */
export const renderRunbook = (name: string): { readonly title: string; readonly body: Html } | undefined => {
  const runbook = runbooks.get(name);
  return runbook && { title: runbook.title, body: renderMarkdown(runbook.text, addressOf) };
};

/** The address of a link from one runbook to another. Other pages are only in the repository. */
const addressOf = (target: string): string | undefined => {
  const [, page, anchor = ''] = /^(?:([\w-]+)\.md)?(#[\w-]+)?$/.exec(target) ?? [];
  if (page === undefined) return anchor === '' ? undefined : anchor;
  return runbooks.has(page) ? `${runbookPath(page)}${anchor}` : undefined;
};
