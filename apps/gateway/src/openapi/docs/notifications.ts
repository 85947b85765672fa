import type { DocumentSettings } from '../document.js';
import { block, code, table } from './html.js';

const sandboxTime = ` In the sandbox, compare ${code('iat')} with ${code('X-Sandbox-Clock')}. Never do so with a bank: the signature covers no HTTP header.`;

/** Explains how changes are pushed to a TPP, and how the TPP verifies that the bank sent them (contract 11). */
export const notificationsHtml = ({
  baseUrl,
  sandbox,
}: Pick<DocumentSettings, 'baseUrl' | 'sandbox'>): string => `
<p>Send ${code('TPP-Notification-URI')} with the POST that creates a payment, a consent or a basket, or that starts an authorisation. The bank then sends changes to this address as JSON in a POST request; ${code('TPP-Notification-Content-Preferred')} selects which changes. Respond with 2xx within five seconds. Any other response, including a redirect, is a failure, and the bank retries for 24 hours, first after one second, then with delays that double up to one hour. A notification may arrive more than once, and always after the previous one.</p>
${table(
  'Headers of a notification',
  ['Header', 'Meaning'],
  [
    [code('X-Request-ID'), 'the same for all tries of one notification'],
    [
      code('X-JWS-Signature'),
      `detached JWS of the body (RFC 7515, appendix F): ${code('<header>..<signature>')}, ES256, with ${code('kid')} and ${code('iat')} in its header`,
    ],
    ...(sandbox
      ? [[code('X-Sandbox-Clock'), 'only in the sandbox: the time of its clock when it signed the body']]
      : []),
  ],
)}
<h3>Verify the signature</h3>
<ol>
<li>Take the bytes of the body as received, before any parsing, and encode them with base64url. This is the payload.</li>
<li>Put the payload between the two dots of ${code('X-JWS-Signature')}. The result is a compact JWS.</li>
<li>Verify it with the key of ${code(`${baseUrl}/oauth2/jwks`)} that its ${code('kid')} names; accept ${code('ES256')} only. Fetch the key set again when a ${code('kid')} is unknown, at most once a minute.</li>
<li>Reject a notification that does not verify, and one whose ${code('iat')} is older than the period for which you accept retries. Take the id of the resource from the signed body; the URL is not signed.${sandbox ? sandboxTime : ''}</li>
</ol>
${block(`import { createRemoteJWKSet, compactVerify } from 'jose';

const keys = createRemoteJWKSet(new URL('${baseUrl}/oauth2/jwks'));

export const readNotification = async (body, signature) => {
  const payload = Buffer.from(body).toString('base64url');
  const { payload: verified } = await compactVerify(
    signature.replace('..', \`.\${payload}.\`), keys, { algorithms: ['ES256'] });
  return JSON.parse(new TextDecoder().decode(verified));
};`)}`;
