import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.js';

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

describe('a log line (docs/how-to/operate.md)', () => {
  it('names its level by a word, also in a child logger', () => {
    const lines: string[] = [];
    const logger = createLogger('test', 'trace', { destination: { write: (line) => void lines.push(line) } });
    for (const one of [logger, logger.child({}, { redact: [] })]) for (const level of levels) one[level]('x');
    const written = lines.map((line) => JSON.parse(line) as { readonly level: unknown });
    expect(written.map(({ level }) => level)).toEqual([...levels, ...levels]);
  });
});
