import { root } from '@xs2a/sandbox/layout';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lists the examples in one language on the page at the given path, in order. */
export const listExamples = (page: string, language: string): string[] =>
  [
    ...readFileSync(join(root, page), 'utf8').matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g')),
  ].map(([, code = '']) => code);

/** The languages of code blocks, as the developer portal names them. */
export type Language = 'Shell' | 'Node' | 'Python' | 'Java';

const characters: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** Lists the code in one language on a page of the developer portal, in order. `label`: how the page names the language. */
export const shownExamples = async (url: string, label: Language): Promise<string[]> => {
  const html = await (await fetch(url)).text();
  const blocks = html.matchAll(
    new RegExp(String.raw`<p>${label}</p>\s*<pre tabindex="0"><code>([^]*?)</code>`, 'g'),
  );
  return [...blocks].map(([, code = '']) =>
    code.replaceAll(/<[^>]*>/g, '').replaceAll(/&[a-z#0-9]+;/g, (entity) => characters[entity] ?? entity),
  );
};

const ended = async (child: ChildProcess): Promise<string> => {
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`the example ended with ${status}: ${said}`);
  return said;
};

/** Runs a bash example. Returns its output. */
export const runExample = async (
  example: string,
  variables: Readonly<Record<string, string>>,
): Promise<string> => {
  const env = { ...process.env, NODE_OPTIONS: '', ...variables };
  return ended(spawn('bash', ['-eu', '-c', example], { env, stdio: ['ignore', 'pipe', 'inherit'] }));
};
