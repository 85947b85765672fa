import type { DocumentSettings } from '../document.js';
import { block, code, table } from './html.js';

/** Explains how changes are pushed to a TPP, and how the TPP verifies that the bank sent them (contract 11). */
export const notificationsHtml = ({ baseUrl }: Pick<DocumentSettings, 'baseUrl'>): string => `
<p>Send ${code('TPP-Notification-URI')} with the POST that creates a payment, a consent or a basket, or that starts an authorisation. Changes are then sent there as a POST of JSON; ${code('TPP-Notification-Content-Preferred')} says which. Answer 2xx within five seconds. Anything else, a redirect included, is a failure and is tried again: after a second, doubling to an hour, for 24 hours. A notification may come twice, and comes after the one before it.</p>
${table(
  'Headers of a notification',
  ['Header', 'Meaning'],
  [
    [code('X-Request-ID'), 'the same for all tries of one notification'],
    [
      code('X-JWS-Signature'),
      `detached JWS of the body (RFC 7515, appendix F): ${code('<header>..<signature>')}, ES256, with ${code('kid')} and ${code('iat')} in its header`,
    ],
  ],
)}
<h3>Verify the signature</h3>
<ol>
<li>Take the bytes of the body as they came, before any parsing, and encode them with base64url: the payload.</li>
<li>Put the payload between the two dots of ${code('X-JWS-Signature')}. That is a compact JWS.</li>
<li>Verify it with the key of ${code(`${baseUrl}/oauth2/jwks`)} that its ${code('kid')} names; accept ${code('ES256')} only. Fetch the key set again when a ${code('kid')} is unknown, at most once a minute.</li>
<li>Refuse a notification that does not verify, and one whose ${code('iat')} is older than you accept repeats for. Which resource it is about, the signed body says; the URL is not signed.</li>
</ol>
${block(`import { createRemoteJWKSet, compactVerify } from 'jose';

const keys = createRemoteJWKSet(new URL('${baseUrl}/oauth2/jwks'));

export const readNotification = async (body, signature) => {
  const payload = Buffer.from(body).toString('base64url');
  const { payload: verified } = await compactVerify(
    signature.replace('..', \`.\${payload}.\`), keys, { algorithms: ['ES256'] });
  return JSON.parse(new TextDecoder().decode(verified));
};`)}`;
