import type { Notice } from './catalogue/catalogue.js';
import type { PageSession, PageSessions } from './page-sessions.js';
import type { CodeRequest, Issued, NotSent } from './sign-in/challenges.js';
import { newId } from '@xs2a/runtime/ids';

/** The form that asks for a code, in its session. */
interface CodeForm extends Pick<CodeRequest, 'psuId' | 'binding' | 'language'> {
  readonly session: PageSession;
  /** The digest of the form. */
  readonly taken: string | undefined;
  /** The notice on the page once the code has been sent. */
  readonly notice?: Notice;
}

/**
 * Sends a code. The session waits for it as soon as it is stored, so of concurrent requests one sends a code, and the
 * page can send another one even if this process ends before the delivery. After a failed delivery the session is as
 * before.
 */
export const sendCode = async (
  sessions: PageSessions,
  { session, taken, notice, ...form }: CodeForm,
  send: (request: CodeRequest) => Promise<Issued | NotSent>,
): Promise<Issued | NotSent> => {
  const { state } = session;
  const challengeId = newId();
  const waiting = { ...state, step: 'code', challengeId, notice: undefined, taken } as const;
  const claim: CodeRequest['claim'] = async (sentAt, client) =>
    (await sessions.save(session, { ...waiting, sentAt }, client)) !== undefined;
  try {
    const sent = await send({ ...form, challengeId, claim });
    if (typeof sent === 'string') return sent;
    const { sentTo } = sent;
    const change = notice === undefined ? { sentTo } : { sentTo, notice };
    await sessions.changeWhileWaiting(session, challengeId, change);
    return sent;
  } catch (error) {
    const { step, challengeId: before, sentAt, sentTo } = state;
    const undone = { step, challengeId: before, sentAt, sentTo, notice: undefined, taken: undefined };
    await sessions.changeWhileWaiting(session, challengeId, undone);
    throw error;
  }
};
