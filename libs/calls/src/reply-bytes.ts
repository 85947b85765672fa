import type { Rendered, Reply } from '@xs2a/contracts/call';

const lineEnd = 0x0a;

const isRendered = (answer: unknown): answer is Rendered =>
  typeof answer === 'object' &&
  answer !== null &&
  'rendered' in answer &&
  answer.rendered instanceof Uint8Array;

/** Serialises a reply: one line of JSON, followed by the already rendered part of the response, byte for byte. */
export const replyBytes = (reply: Reply<unknown>): string | Uint8Array => {
  if ('failures' in reply || !isRendered(reply.ok)) return JSON.stringify(reply);
  const { rendered, ...ok } = reply.ok;
  return Buffer.concat([Buffer.from(`${JSON.stringify({ ok })}\n`), rendered]);
};

/** Parses a reply written by {@link replyBytes}; throws SyntaxError for invalid input. */
export const readReply = <Answer>(data: Uint8Array): Reply<Answer> => {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const end = bytes.indexOf(lineEnd);
  if (end < 0) return JSON.parse(bytes.toString()) as Reply<Answer>;
  const reply = JSON.parse(bytes.toString('utf8', 0, end)) as Reply<Answer>;
  return 'failures' in reply ? reply : { ok: { ...reply.ok, rendered: bytes.subarray(end + 1) } };
};
