import { type Html, html } from '@xs2a/html/html';

/** Returns the address of a link, or undefined for one whose text is shown without it. */
export type Resolve = (target: string) => string | undefined;

/**
 * Renders the Markdown of the runbooks: headings, paragraphs, lists, tables, code, bold text and links. Everything else is shown as
 * it is written.
 */
export const renderMarkdown = (text: string, resolve: Resolve): Html =>
  html`${renderBlocks(text.split('\n'), resolve)}`;

/** A block that begins at the first line, with the number of its lines; undefined if the first line begins no such block. */
type Block = (
  lines: readonly string[],
  resolve: Resolve,
) => { readonly made: Html; readonly taken: number } | undefined;

const renderBlocks = (lines: readonly string[], resolve: Resolve): Html[] => {
  const made: Html[] = [];
  for (let at = 0; at < lines.length;) {
    const rest = lines.slice(at);
    const found =
      rest[0]?.trim() === ''
        ? { made: html``, taken: 1 }
        : (heading(rest, resolve) ?? code(rest, resolve) ?? table(rest, resolve) ?? list(rest, resolve));
    const { made: block, taken } = found ?? paragraph(rest, resolve);
    made.push(block);
    at += taken;
  }
  return made;
};

const heading: Block = ([line = ''], resolve) => {
  const [, title] = /^##+ (.*)$/.exec(line) ?? [];
  if (title === undefined) return undefined;
  return { made: html`<h2 id="${anchorOf(title)}">${inline(title, resolve)}</h2>`, taken: 1 };
};

/** The part of an address that leads to a heading, as GitHub forms it. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

const code: Block = (lines) => {
  if (lines[0]?.startsWith('```') !== true) return undefined;
  const end = lines.findIndex((line, at) => at > 0 && line.startsWith('```'));
  const last = end === -1 ? lines.length : end;
  return {
    made: html`<pre tabindex="0">${lines.slice(1, last).join('\n')}</pre>`,
    taken: Math.min(last + 1, lines.length),
  };
};

const cellsOf = (line: string): readonly string[] =>
  line
    .replaceAll(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

const table: Block = (lines, resolve) => {
  const taken = countWhile(lines, (line) => line.startsWith('|'));
  if (taken < 2) return undefined;
  const [head = '', , ...rows] = lines.slice(0, taken);
  const made = html`<div class="wide" tabindex="0">
    <table>
      <thead>
        <tr>
          ${cellsOf(head).map((cell) => html`<th scope="col">${inline(cell, resolve)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${cellsOf(row).map((cell) => html`<td>${inline(cell, resolve)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
  return { made, taken };
};

const itemMark = /^(\d+\.|-) /;

/** A list. The lines of an item that follow its first one are indented. */
const list: Block = (lines, resolve) => {
  const [first = ''] = lines;
  if (!itemMark.test(first)) return undefined;
  const taken = countWhile(
    lines,
    (line, at) => itemMark.test(line) || line.startsWith('  ') || (line === '' && isInList(lines[at + 1])),
  );
  const items: string[][] = [];
  for (const line of lines.slice(0, taken))
    if (itemMark.test(line)) items.push([line.replace(itemMark, '')]);
    else items.at(-1)?.push(line.replace(/^ {2,3}/, ''));
  const made = items.map((item) => html`<li>${renderBlocks(item, resolve)}</li>`);
  return {
    made: first.startsWith('-')
      ? html`<ul>
          ${made}
        </ul>`
      : html`<ol>
          ${made}
        </ol>`,
    taken,
  };
};

const isInList = (line = ''): boolean => itemMark.test(line) || line.startsWith('  ');

const paragraph = (
  lines: readonly string[],
  resolve: Resolve,
): { readonly made: Html; readonly taken: number } => {
  const taken = Math.max(
    1,
    countWhile(
      lines,
      (line, at) => line.trim() !== '' && (at === 0 || !/^(?:```|#|\||- |\d+\. )/.test(line)),
    ),
  );
  return { made: html`<p>${inline(lines.slice(0, taken).join(' '), resolve)}</p>`, taken };
};

const countWhile = (lines: readonly string[], isPart: (line: string, at: number) => boolean): number => {
  const end = lines.findIndex((line, at) => !isPart(line, at));
  return end === -1 ? lines.length : end;
};

const marks = /`([^`]+)`|\*\*((?:`[^`]*`|[^*`])+)\*\*|\[((?:`[^`]*`|[^\]`])+)\]\(([^)]+)\)/;

/** Renders code, bold text and links within a line. */
const inline = (text: string, resolve: Resolve): Html => {
  const found = marks.exec(text);
  if (found === null) return html`${text}`;
  const [whole, codeText, bold, linkText = '', target = ''] = found;
  const before = text.slice(0, found.index);
  const after = inline(text.slice(found.index + whole.length), resolve);
  if (codeText !== undefined) return html`${before}<code>${codeText}</code>${after}`;
  if (bold !== undefined) return html`${before}<strong>${inline(bold, resolve)}</strong>${after}`;
  const to = resolve(target);
  const shown = inline(linkText, resolve);
  return html`${before}${to === undefined ? shown : html`<a href="${to}">${shown}</a>`}${after}`;
};
