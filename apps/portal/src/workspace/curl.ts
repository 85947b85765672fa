import type { CallContent } from '@xs2a/contracts/console.contract';

/** The headers that a repeated call needs; curl and the connection set the others. */
const needed =
  /^(?:content-type|idempotency-key|tpp-.*|psu-.*|consent-id|accept|accept-language|x-(?!request-id).*)$/;
const hidden = '(hidden)';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns a command that sends a request again. `baseUrl`: the API's origin; the token is the variable TOKEN. */
export const curlOf = ({ method, url, headers, body }: CallContent['request'], baseUrl: string): string => {
  const kept = Object.entries(headers).filter(
    ([name, value]) => needed.test(name) && value !== hidden && value !== '*' && value !== '*/*',
  );
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(`${baseUrl}${url}`)}`,
    ...(headers['authorization'] === undefined ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...kept.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(' \\\n  ');
};
