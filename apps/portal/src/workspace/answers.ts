import { type Html, html } from '@xs2a/html/html';
import type { ApiAnswer } from './tpp-api.js';
import { note } from './workspace-page.js';

interface Message {
  readonly code?: string;
  readonly path?: string;
  readonly text?: string;
}

/** Returns what the API answered. Its successful answers are ours, so that they have the form of the description. */
export const jsonOf = <Body>({ text }: ApiAnswer): Body => JSON.parse(text) as Body;

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
