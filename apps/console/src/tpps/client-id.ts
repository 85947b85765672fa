/** True for the client id of a TPP, so that a recorded action never contains another text. */
export const isClientId = (text: unknown): text is string =>
  typeof text === 'string' && /^[\w.~-]{1,100}$/.test(text);
