import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import MarkdownIt from 'markdown-it';
import { basename, dirname, join } from 'node:path';
import { toAnchor } from '../references.js';
import { readText } from '../sources.js';
import { type GuideSource, guideSources } from './guide-sources.js';
import { codeBlock } from './highlight.js';

/** A guide as the developer portal shows it. */
export interface RenderedGuide {
  /** The last segment of its path. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly sections: readonly { readonly id: string; readonly title: string }[];
  /** Its HTML, line by line. */
  readonly lines: readonly string[];
  /** Its Markdown, line by line, with links that lead into the portal. */
  readonly text: readonly string[];
}

const nameOf = ({ file }: GuideSource): string => basename(file, '.md');
/** Where the portal has what other pages of the repository say. */
const elsewhere: Readonly<Record<string, string>> = {
  'docs/contract/03-errors.md': '/errors',
  'docs/contract/README.md': '/reference',
};
const pages = new Map([
  ...Object.entries(elsewhere),
  ...guideSources.map((source) => [source.file, `/guides/${nameOf(source)}`] as const),
]);

/** The address in the portal of what a page links to; undefined for what the portal does not have. */
const addressOf = (href: string, from: string): string | undefined => {
  if (/^https:|^#/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const page = pages.get(join(dirname(from), path));
  return page === undefined || anchor === undefined ? page : `${page}#${anchor}`;
};

const markdown = new MarkdownIt();
type Token = ReturnType<typeof markdown.parse>[number];
const { rules } = markdown.renderer;
rules['fence'] = (tokens, at) => {
  const { content = '', info = '' } = tokens[at] ?? {};
  return `${codeBlock(content, info.trim()).text}\n`;
};
rules['code_block'] = (tokens, at) => `${codeBlock(tokens[at]?.content ?? '', '').text}\n`;

/** The text of a heading or cell without markup. */
const plainText = ({ children }: Token): string => (children ?? []).map(({ content }) => content).join('');

/** Points links into the portal. What the portal does not have stays as text. */
const placeLinks = (tokens: readonly Token[], file: string): void => {
  for (const { children } of tokens) {
    if (children === null) continue;
    const open: (string | undefined)[] = [];
    for (const token of children) {
      if (token.type === 'link_open') open.push(addressOf(String(token.attrGet('href')), file));
      const address = open.at(-1);
      if (token.type === 'link_open' && address !== undefined) token.attrSet('href', address);
      if (!token.type.startsWith('link_')) continue;
      if (token.type === 'link_close') open.pop();
      if (address === undefined) Object.assign(token, { type: 'text', tag: '', content: '' });
    }
  }
};

/** Gives each cell the heading of its column, which narrow screens show in front of it. */
const labelCells = (tokens: readonly Token[]): void => {
  let labels: string[] = [];
  let column = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'table_open') labels = [];
    if (token.type === 'tr_open') column = 0;
    const content = tokens[at + 1];
    if (token.type === 'th_open' && content !== undefined) labels.push(plainText(content));
    if (token.type === 'td_open') {
      token.attrs = labels[column] === '' ? [] : [['data-label', labels[column] ?? '']];
      column += 1;
    }
  }
};

/** The name that client generators make of the schema of a product's body. */
const bodyType = (product: string): string =>
  `Payment-${product}`.replaceAll(/-(.)/g, (_dash, letter: string) => letter.toUpperCase());

/** Replaces the product, currency and service level of the examples by those of another standard. */
const inStandard = (
  text: string,
  { homeCurrency, periodicProduct, exampleBodies }: PaymentStandard,
): string =>
  text
    .replaceAll('domestic-credit-transfer-BGN', periodicProduct)
    .replaceAll(bodyType('domestic-credit-transfer-BGN'), bodyType(periodicProduct))
    .replaceAll(/\bBGN\b/g, homeCurrency)
    .replaceAll('NURG', String(exampleBodies[periodicProduct]?.['serviceLevel']));

/** A link of Markdown, or a block of code, in which there are no links. */
const linkOrCode = /```[^]*?```|\[([^\]]*)\]\(([^)\s]+)\)/g;

/** Points the links of Markdown into the portal. Of a link to what the portal does not have, the text stays. */
const placeTextLinks = (text: string, file: string): string =>
  text.replaceAll(linkOrCode, (whole, label?: string, href?: string) => {
    if (label === undefined || href === undefined) return whole;
    const address = addressOf(href, file);
    return address === undefined ? label : `[${label}](${address})`;
  });

interface Heading {
  readonly tag: string;
  readonly title: string;
}

/** Renders Markdown. `file`: the page that contains it, from which its links lead. Headings but the title have an anchor. */
export const renderMarkdown = (
  text: string,
  file: string,
): { readonly headings: readonly Heading[]; readonly lines: readonly string[] } => {
  const tokens = markdown.parse(text, {});
  const headings = tokens.flatMap((token, at) => {
    const content = tokens[at + 1];
    if (token.type !== 'heading_open' || content === undefined) return [];
    const title = plainText(content);
    if (token.tag !== 'h1') token.attrSet('id', toAnchor(title));
    return [{ tag: token.tag, title }];
  });
  placeLinks(tokens, file);
  labelCells(tokens);
  return { headings, lines: markdown.renderer.render(tokens, markdown.options, {}).trimEnd().split('\n') };
};

/** Renders a guide for a bank of the standard. Throws if the page has no title. */
export const renderGuide = (source: GuideSource, standard: PaymentStandard): RenderedGuide => {
  const { file, summary, inCurrency } = source;
  const text = inCurrency ? inStandard(readText(file), standard) : readText(file);
  const { headings, lines } = renderMarkdown(text, file);
  const [first] = headings;
  if (first?.tag !== 'h1') throw new Error(`${file} does not start with a title`);
  return {
    name: nameOf(source),
    title: first.title,
    summary,
    sections: headings.filter(({ tag }) => tag === 'h2').map(({ title }) => ({ id: toAnchor(title), title })),
    lines,
    text: placeTextLinks(text, file).trimEnd().split('\n'),
  };
};
