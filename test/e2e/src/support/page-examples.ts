import { root } from '@xs2a/sandbox/layout';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The examples of a page under docs/how-to in one language, in their order. */
export const listExamples = (page: string, language: string): string[] =>
  [
    ...readFileSync(join(root, 'docs/how-to', page), 'utf8').matchAll(
      new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'),
    ),
  ].map(([, code = '']) => code);

/** curl as far as the pages use it: not every machine has it. */
const curl = `
const [headers, data] = [new Headers(), new URLSearchParams()];
let url, body, method;
for (let args = process.argv.slice(1), next; (next = args.shift()) !== undefined; ) {
  if (next === '-s') continue;
  if (next === '-X') method = args.shift();
  else if (next === '-u') headers.set('authorization', 'Basic ' + btoa(args.shift()));
  else if (next === '-H') { const [name, value] = args.shift().split(': '); headers.set(name, value); }
  else if (next === '-d') { const one = args.shift(); if (one.startsWith('{')) body = one; else { const [name, ...rest] = one.split('='); data.append(name, rest.join('=')); body = data; } }
  else url = next;
}
method ??= body === undefined ? 'GET' : 'POST';
console.log(await (await fetch(url, { method, headers, body })).text());`;

const ended = async (child: ChildProcess): Promise<string> => {
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`the example ended with ${status}: ${said}`);
  return said;
};

/** Runs a bash example; answers what it prints. */
export const runExample = async (
  example: string,
  variables: Readonly<Record<string, string>>,
): Promise<string> => {
  const script = `curl() { "$NODE" --input-type=module -e "$CURL" -- "$@"; }\n${example}`;
  const env = { ...process.env, NODE: process.execPath, NODE_OPTIONS: '', CURL: curl, ...variables };
  return ended(spawn('bash', ['-eu', '-c', script], { env, stdio: ['ignore', 'pipe', 'inherit'] }));
};
