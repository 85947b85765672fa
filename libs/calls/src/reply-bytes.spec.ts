import { describe, expect, it } from '@jest/globals';
import type { Reply } from '@xs2a/contracts/call';
import { readReply, replyBytes } from './reply-bytes.js';

const travelled = (reply: Reply<unknown>): Reply<Record<string, unknown>> => {
  const bytes = replyBytes(reply);
  return readReply(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
};

describe('replies between services', () => {
  it('are the same after being written and parsed', () => {
    const replies: Reply<unknown>[] = [
      { ok: { text: 'два\nреда', rendered: 'a text of that name' } },
      { ok: [] },
      { failures: [{ failure: 'resourceUnknown' }] },
    ];
    expect(replies.map(travelled)).toEqual(replies);
  });

  it('contain rendered content byte for byte, including line breaks', () => {
    const rendered = Buffer.from('{"a":\n "Ж"}\n');
    const reply = travelled({ ok: { count: 1, rendered } });
    expect(reply).toEqual({ ok: { count: 1, rendered } });
  });
});
