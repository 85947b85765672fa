import type { CallContent, SentMessage } from '@xs2a/contracts/console.contract';
import type { Pool } from 'pg';
import { hidden, masked, withShortIbans } from '../command-line/masking.js';

/** The headers whose values operators may see. */
const shownHeaders: ReadonlySet<string> = new Set(
  `accept allow aspsp-notification-content aspsp-notification-support aspsp-sca-approach consent-id content-length
  content-type host location psu-id retry-after traceparent user-agent www-authenticate x-api-version x-request-id
  x-sandbox-clock x-unattended-remaining`.split(/\s+/),
);

const maskedBody = (body: string): string => {
  try {
    return JSON.stringify(masked(JSON.parse(body)));
  } catch {
    // A body that was cut, or is no JSON.
    return hidden;
  }
};

const maskedMessage = <Message extends SentMessage>(message: Message): Message => ({
  ...message,
  headers: Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [
      name,
      shownHeaders.has(name) ? withShortIbans(value) : hidden,
    ]),
  ),
  body: message.body === undefined ? undefined : maskedBody(message.body),
});

/** What was sent in calls of a sandbox, by the id of the call, as far as operators may see it. */
export const readContents = async (
  pool: Pool,
  callIds: readonly number[],
): Promise<ReadonlyMap<number, CallContent>> => {
  const { rows } = await pool.query<CallContent & { readonly callId: number }>(
    'SELECT call_id AS "callId", request, response FROM call_content WHERE call_id = ANY($1::bigint[])',
    [callIds],
  );
  return new Map(
    rows.map(({ callId, request, response }) => [
      callId,
      {
        request: { ...maskedMessage(request), url: withShortIbans(request.url) },
        response: maskedMessage(response),
      },
    ]),
  );
};

const messageText = (title: string, { headers, body, bodyCut }: SentMessage): string =>
  [
    title,
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
    ...(body === undefined ? [] : [`  ${body}${bodyCut === true ? ' (only the beginning is kept)' : ''}`]),
  ].join('\n');

/** The headers and bodies of a call as text. */
export const contentText = ({ request, response }: CallContent): string =>
  [
    messageText(`sent by the TPP: ${request.method} ${request.url}`, request),
    messageText('sent by the bank:', response),
  ].join('\n');
