import { newId } from '@xs2a/runtime/ids';
import type { CodeRequest } from '../sca/sign-in/challenges.js';

/** A request for a code by a page that no other request changes. */
export const codeRequest = (psuId: string, binding: string, language: string): CodeRequest => ({
  challengeId: newId(),
  psuId,
  binding,
  language,
  claim: async () => true,
});
