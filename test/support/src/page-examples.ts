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
