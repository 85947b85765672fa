import { NotFoundException } from '@nestjs/common';
import { type Html, html } from '@xs2a/html/html';
import { type ApiAnswer, ApiUnreachable, ClientRefused } from './tpp-api.js';
import { note } from './workspace-page.js';

interface Message {
  readonly code?: string;
  readonly path?: string;
  readonly text?: string;
}

/** Returns what the API answered. Its successful answers are ours, so that they have the form of the description. */
export const jsonOf = <Body>({ text }: ApiAnswer): Body => JSON.parse(text) as Body;

/**
 * Returns the body of an answer to a read. Throws NotFoundException for 400 and 404, {@link ClientRefused} for 401 and 403,
 * and {@link ApiUnreachable} for every other refusal.
 */
export const bodyOf = <Body>(answer: ApiAnswer): Body => {
  const { status } = answer;
  if (status === 200) return jsonOf<Body>(answer);
  if (status === 400 || status === 404) throw new NotFoundException();
  if (status === 401 || status === 403) throw new ClientRefused(`read: ${status}`);
  throw new ApiUnreachable(`read: ${status}`);
};

/** The refusals in an answer of the API, or of the authorization server. */
const messagesOf = ({ text }: ApiAnswer): readonly Message[] => {
  try {
    const body = JSON.parse(text) as {
      readonly tppMessages?: readonly Message[];
      readonly error?: string;
      readonly error_description?: string;
    };
    if (Array.isArray(body.tppMessages)) return body.tppMessages;
    return body.error === undefined ? [] : [{ code: body.error, text: body.error_description }];
  } catch {
    return [];
  }
};

/** Shows why the API refused what the user asked for; undefined for a success. */
export const refusalNote = (answer: ApiAnswer): Html | undefined => {
  if (answer.status < 400) return undefined;
  const messages = messagesOf(answer);
  if (messages.length === 0) return note('problem', `The bank answered ${answer.status}. Try again.`);
  return note(
    'problem',
    html`${messages.map(
      ({ code, path, text }) =>
        html`<span class="block"
          ><b>${code}</b>${path === undefined ? undefined : html` <code>${path}</code>`} ${text}</span
        >`,
    )}`,
  );
};

/** Returns the address of the bank's page on which a customer signs, if an answer has it. */
export const signingLink = ({ text }: ApiAnswer): string | undefined => {
  try {
    const body = JSON.parse(text) as {
      readonly _links?: { readonly scaRedirect?: { readonly href?: unknown } };
    };
    const href = body._links?.scaRedirect?.href;
    return typeof href === 'string' && /^https?:\/\//.test(href) ? href : undefined;
  } catch {
    return undefined;
  }
};
