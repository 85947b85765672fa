import type { CallContent } from '@xs2a/contracts/console.contract';
import { type Html, html } from '@xs2a/html/html';

/** True if a call was sent with a body that the log does not have, because the bank answered before it read the body. */
export const hasUnreadBody = ({ headers, body }: CallContent['request']): boolean =>
  body === undefined && headers['content-type'] !== undefined;

export const unreadBodyNote: Html = html`The bank answered this call before it read the body, so the body is
not stored.`;
