/** The advice for a text that is too long, empty or unclean. */
export const maxTextHint = (max: number): string =>
  `Send 1 to ${max} characters, at least one of them visible, without control or format characters.`;
