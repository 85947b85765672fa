import { type Html, html } from '@xs2a/html/html';
import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import bash from 'shiki/langs/bash.mjs';
import java from 'shiki/langs/java.mjs';
import javascript from 'shiki/langs/javascript.mjs';
import python from 'shiki/langs/python.mjs';

/** The highlighted languages, with the label that the reader sees. */
const labels: Readonly<Record<string, string>> = {
  bash: 'Shell',
  js: 'Node',
  python: 'Python',
  java: 'Java',
};

const highlighter = await createHighlighterCore({
  themes: [createCssVariablesTheme({ name: 'portal', variablePrefix: '--' })],
  langs: [bash, java, javascript, python],
  engine: createJavaScriptRegexEngine(),
});

/** The kind of a token from its colour in the theme, `var(--token-string)`; undefined for plain text. */
const kindOf = (color: string | undefined): string | undefined =>
  /^var\(--token-(?!punctuation)([a-z-]+)\)$/.exec(color ?? '')?.[1];

const highlighted = (code: string, lang: string): readonly Html[] =>
  highlighter.codeToTokensBase(code, { lang, theme: 'portal', tokenizeTimeLimit: 0 }).flatMap((line, at) => [
    html`${at === 0 ? '' : '\n'}`,
    ...line.map(({ content, color }) => {
      const kind = kindOf(color);
      return kind === undefined ? html`${content}` : html`<span class="t-${kind}">${content}</span>`;
    }),
  ]);

/** Returns a block of code with classes instead of colours. A language without a label is plain text. */
export const codeBlock = (text: string, language: string): Html => {
  const code = text.trimEnd();
  const label = labels[language];
  const shown = label === undefined ? code : highlighted(code, language);
  return html`<div class="code">
    <p>${label ?? 'Text'}</p>
    <pre tabindex="0"><code>${shown}</code></pre>
  </div>`;
};
