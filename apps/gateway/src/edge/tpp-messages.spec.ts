import { describe, expect, it } from '@jest/globals';
import { type FailureName, failures } from '@xs2a/domain/failure/failures';
import { toRefusal } from './tpp-messages.js';

const names = Object.keys(failures) as FailureName[];

describe('a refusal (contract 3)', () => {
  it.each(names)('for %s has a status, a code and a text of at most 500 characters', (failure) => {
    const { status, headers, body } = toRefusal([{ failure, path: 'a.b' }]);
    expect(status).toBe(failures[failure][0]);
    expect(body.tppMessages).toEqual([
      {
        category: 'ERROR',
        code: failures[failure][1],
        path: 'a.b',
        text: expect.stringMatching(/^.{10,500}$/),
      },
    ]);
    const challenge = headers['www-authenticate'];
    expect(challenge?.split(',')[0]).toBe(status === 401 ? 'Bearer' : undefined);
    expect(challenge?.includes('DPoP') === true).toBe(failure === 'proofInvalid');
    expect(headers['retry-after']).toBe(status === 503 ? '1' : undefined);
  });

  it('lists all violations together, with the status of the first one', () => {
    const { status, body } = toRefusal([
      { failure: 'fieldMissing', path: 'a' },
      { failure: 'fieldUnknown', path: 'b', text: 'x'.repeat(600) },
    ]);
    expect(status).toBe(400);
    expect(body.tppMessages.map(({ path, text }) => [path, text.length <= 500])).toEqual([
      ['a', true],
      ['b', true],
    ]);
  });

  it('lists at most 100 messages, the last of which states how many were omitted', () => {
    const many = (length: number) =>
      toRefusal(Array.from({ length }, (_, at) => ({ failure: 'fieldUnknown', path: `f${at}` }) as const))
        .body.tppMessages;
    expect(many(100).map(({ path }) => path)).toEqual(Array.from({ length: 100 }, (_, at) => `f${at}`));
    const messages = many(5000);
    expect(messages).toHaveLength(100);
    expect(messages[98]?.path).toBe('f98');
    expect(messages[99]).toEqual({
      category: 'ERROR',
      code: 'FORMAT_ERROR',
      text: '4901 more violations were left out. Correct those listed first.',
    });
  });

  it('rounds Retry-After up to whole seconds, at least one', () => {
    expect(toRefusal([{ failure: 'accessExceeded', retryAfter: 3.2 }]).headers['retry-after']).toBe('4');
    expect(toRefusal([{ failure: 'accessExceeded', retryAfter: 0 }]).headers['retry-after']).toBe('1');
  });

  it('links the page of its first code only where error codes have pages', () => {
    const failures = [{ failure: 'periodInvalid' }, { failure: 'fieldMissing', path: 'a' }] as const;
    const { headers } = toRefusal(failures, 'Bearer', 'https://bank.example/errors/');
    expect(headers['link']).toBe('<https://bank.example/errors/PERIOD_INVALID>; rel="help"');
    expect(toRefusal(failures).headers).not.toHaveProperty('link');
  });

  it('is reported as an internal error if its list of failures is empty', () => {
    expect(toRefusal([])).toMatchObject({
      status: 500,
      body: { tppMessages: [{ code: 'INTERNAL_SERVER_ERROR' }] },
    });
  });
});
