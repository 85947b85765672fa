import { expect, it } from '@jest/globals';
import type { ArgumentsHost } from '@nestjs/common';
import { createLogger } from '@xs2a/observability/logger';
import { QueryFailedError } from 'typeorm';
import { PageFilter } from './page.filter.js';

/** Returns the HTTP status and the page with which the filter responds to an error. */
const answered = async (error: unknown): Promise<readonly [number, string]> => {
  let status = 200;
  let page = '';
  const reply = {
    code: (code: number) => {
      status = code;
      return reply;
    },
    headers: () => reply,
    send: async (text: string) => {
      page = text;
      return Promise.resolve();
    },
  };
  const http = { getRequest: () => ({ headers: {} }), getResponse: () => reply };
  const filter = new PageFilter(createLogger('test', 'silent'));
  const answer = filter.catch.bind(filter);
  await answer(error, { switchToHttp: () => http } as unknown as ArgumentsHost);
  return [status, page];
};

it('responds with 503 if the database does not respond, even if TypeORM wraps the error, and with 500 to a programming error', async () => {
  const unanswered = new Error('Query read timeout');
  const expected = [503, expect.stringContaining('does not answer')];
  expect(await answered(unanswered)).toEqual(expected);
  expect(await answered(new QueryFailedError('SELECT 1', [], unanswered))).toEqual(expected);
  expect(await answered(new TypeError('undefined is not a function'))).toEqual([
    500,
    expect.stringContaining('This page failed'),
  ]);
});
